import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { ErrorBody, type ErrorCode, errors } from './errors.ts';
import { type AnswerHeader, answerHeaders, requestHeaders } from './headers.ts';
import { commonErrors, type Operation, operations } from './operations.ts';
import { NewPet, Pet, PetStatus, Pets } from './pet.ts';
import type { Fields } from './validate.ts';

export const VERSION = '1.0.0';

const EXPERIMENTAL = { 'x-stability': 'experimental' } as const;
const schemas = { PetStatus, NewPet, Pet, Pets, Error: ErrorBody };
const conversion = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

const newPetExample = { name: 'Rex', categoryId: 7 };
const petExample = { id: 1, ...newPetExample, status: 'available' };
const examples = new Map<GenericSchema, unknown>([
  [NewPet, newPetExample],
  [Pet, petExample],
  [Pets, [petExample]],
]);

export interface Server {
  readonly url: string;
  readonly description: string;
}

/** The OpenAPI 3.1 document of the interface as it is served at `servers`. */
export function openapi(servers: readonly Server[]) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Animal Store',
      version: VERSION,
      summary: 'A pet store inventory over HTTP and JSON.',
      description:
        'List animals, add one, fetch one. Every call carries an API key; every error has one shape. 64-bit integers are exact: read them with a parser that keeps them. Every `GET` answers `HEAD` too. What is marked `x-stability: experimental` goes beyond the specification of version 1.0.0.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    tags: [
      { name: 'pets', description: 'The animals of the inventory.' },
      { name: 'store', description: 'Orders of the store. No operation of this group is served yet.' },
    ],
    paths: paths(),
    components: {
      schemas: toJsonSchemaDefs(schemas, conversion),
      headers: mapValues(answerHeaders, (header) => ({ ...header, ...EXPERIMENTAL })),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
  };
}

function paths() {
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values(operations)) {
    byPath[operation.path] = {
      ...byPath[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return byPath;
}

function describe(operation: Operation) {
  const { id, tag, summary, description, deprecated, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(deprecated && { deprecated: true, 'x-deprecated-sunset': deprecated.sunset }),
    security: [{ apiKey: [] }],
    parameters: [
      ...parameters('path', operation.params),
      ...parameters('query', operation.query),
      ...Object.entries(requestHeaders)
        .filter(([name]) => name !== 'Idempotency-Key' || operation.idempotent)
        .map(([name, header]) => ({ name, in: 'header', required: false, ...header, ...EXPERIMENTAL })),
    ],
    ...(body && { requestBody: { required: true, content: content(body) } }),
    responses: { ...success(operation), ...failures(operation) },
  };
}

function parameters(place: 'path' | 'query', fields: Fields | undefined) {
  return Object.entries(fields?.entries ?? {}).map(([name, entry]) => {
    const schema = 'wrapped' in entry ? (entry.wrapped as GenericSchema) : entry;
    const {
      $schema,
      description,
      'x-stability': stability,
      ...rest
    } = reference(schema) as JsonSchema & Record<string, unknown>;
    const marks = {
      ...(description !== undefined && { description }),
      ...(stability !== undefined && EXPERIMENTAL),
    };
    return { name, in: place, required: place === 'path', ...marks, schema: rest };
  });
}

function success({ answer, idempotent, deprecated }: Operation) {
  const headers = headerRefs([
    'X-Request-Id',
    'Preference-Applied',
    ...(answer.paged ? (['Link'] as const) : []),
    ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...deprecationHeaders(deprecated),
  ]);
  const description = answer.status === 201 ? 'Created.' : 'Found.';
  return { [answer.status]: { description, headers, content: content(answer.schema) } };
}

function failures(operation: Operation) {
  const codes = [...new Set<ErrorCode>([...commonErrors, ...operation.errors])];
  const byStatus = Object.groupBy(codes, (code) => errors[code].status);
  return mapValues(byStatus, (group = []) => {
    const status = errors[group[0] as ErrorCode].status;
    return {
      description: group.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
      ...(!operation.specified.includes(status) && EXPERIMENTAL),
      headers: headerRefs([
        'X-Request-Id',
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
        ...(status === 503 ? (['Retry-After'] as const) : []),
        ...deprecationHeaders(operation.deprecated),
      ]),
      content: content(ErrorBody, Object.fromEntries(group.map((code) => [code, errorExample(code)]))),
    };
  });
}

const errorExample = (code: ErrorCode) => ({
  value: { code, message: errors[code].meaning, status: errors[code].status },
});

const deprecationHeaders = (deprecated: Operation['deprecated']): AnswerHeader[] =>
  deprecated ? ['Deprecation', 'Sunset', 'DeprecationLink'] : [];

function headerRefs(names: readonly AnswerHeader[]) {
  return Object.fromEntries(
    names.map((name) => [
      name === 'DeprecationLink' ? 'Link' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

function content(schema: GenericSchema, named?: Record<string, unknown>) {
  const example = examples.get(schema);
  const shown = named ? { examples: named } : example !== undefined && { example };
  return { 'application/json': { schema: reference(schema), ...shown } };
}

function reference(schema: GenericSchema): JsonSchema {
  const name = Object.entries(schemas).find(([, named]) => named === schema)?.[0];
  return name ? { $ref: `#/components/schemas/${name}` } : toJsonSchema(schema, conversion);
}

function mapValues<T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
