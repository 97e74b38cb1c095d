import type { JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { ErrorBody, type ErrorCode, errors } from '../errors.ts';
import { type ResponseHeader, requestHeaders, sentName } from '../headers.ts';
import { commonErrors, type Operation, takesIdempotencyKey } from '../operation.ts';
import type { RequiredScope } from '../scope.ts';
import type { Fields } from '../validate.ts';
import { answerExample, content, EXPERIMENTAL, reference } from './schemas.ts';

/** Statuses of requests that are rejected before their operation is known. */
const BEFORE_ROUTING = [408, 431];
/** Statuses of requests that are rejected before their API key is known. */
const BEFORE_KEY = [...BEFORE_ROUTING, 401];
/** The errors that the specification names. */
const SPECIFIED: readonly ErrorCode[] = ['invalid_request', 'unauthorized', 'pet_not_found'];
const RATE_LIMIT = ['RateLimit-Policy', 'RateLimit'] as const;

const STREAM = {
  type: 'string',
  description:
    'Server-sent events (WHATWG HTML). Each has its `id`, its type as `event`, and as `data` the same JSON object as in the list.',
};

/** The OpenAPI description of an operation. */
export function describe(operation: Operation) {
  const { id, tag, scope, summary, description, deprecated, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description} ${scopeSentence(scope)}`,
    ...(deprecated && { deprecated: true, 'x-deprecated-sunset': deprecated.sunset }),
    ...(!operation.specified && EXPERIMENTAL),
    security: [{ apiKey: scope === 'any' ? [] : [scope] }],
    parameters: [
      ...parameters('path', operation.params),
      ...parameters('query', operation.query),
      ...Object.entries(requestHeaders)
        .filter(([name]) => appliesTo(operation, name))
        .map(([name, header]) => ({ name, in: 'header', required: false, ...header, ...EXPERIMENTAL })),
    ],
    ...(body && { requestBody: { required: true, content: requestContent(operation.method, body) } }),
    responses: { ...success(operation), ...failures(operation) },
  };
}

const scopeSentence = (scope: RequiredScope): string =>
  scope === 'any' ? 'Every valid API key may call it.' : `The API key needs the scope \`${scope}\`.`;

function appliesTo(operation: Operation, header: string): boolean {
  if (header === 'Last-Event-ID') return operation.answer.followed === true;
  if (header === 'Idempotency-Key') return takesIdempotencyKey(operation);
  return !header.startsWith('If-') || operation.conditional === true;
}

/** The body of a PATCH is a merge patch, and may be sent as plain JSON. */
function requestContent(method: Operation['method'], body: Fields) {
  const plain = content(body);
  return method === 'PATCH' ? { 'application/merge-patch+json': plain['application/json'], ...plain } : plain;
}

function parameters(place: 'path' | 'query', fields: Fields | undefined) {
  return Object.entries(fields?.entries ?? {}).map(([name, entry]) => {
    const schema = 'wrapped' in entry ? (entry.wrapped as GenericSchema) : entry;
    const {
      $schema,
      description,
      'x-stability': stability,
      example,
      ...rest
    } = reference(schema) as JsonSchema & Record<string, unknown>;
    const marks = {
      ...(description !== undefined && { description }),
      ...(stability !== undefined && EXPERIMENTAL),
      ...(example !== undefined && { example }),
    };
    return { name, in: place, required: place === 'path', ...marks, schema: rest };
  });
}

function success(operation: Operation) {
  const { method, body: sent, answer, conditional, deprecated } = operation;
  const headers = headerRefs([
    'X-Request-Id',
    ...RATE_LIMIT,
    ...(answer.paged ? (['Link'] as const) : []),
    ...(answer.followed ? (['Last-Event-ID'] as const) : []),
    ...(takesIdempotencyKey(operation) ? (['Idempotent-Replayed'] as const) : []),
    ...(answer.tagged ? (['ETag'] as const) : []),
    ...(answer.located ? (['Location'] as const) : []),
    ...deprecationHeaders(deprecated),
  ]);
  const located = { ...headers, ...headerRefs(['Location']) };
  const description = answer.status === 201 ? 'Created.' : 'Success.';
  const body = answer.schema && {
    content: {
      ...content(answer.schema, undefined, answerExample(answer.schema, sent)),
      ...(answer.followed && { 'text/event-stream': { schema: STREAM } }),
    },
  };
  const unchanged = {
    description: 'Not changed since the `ETag` in `If-None-Match`.',
    headers,
    ...EXPERIMENTAL,
  };
  return {
    [answer.status]: { description, headers, ...body },
    ...(answer.mayCreate && { 201: { description: 'Created.', headers: located, ...body } }),
    ...(method === 'GET' && conditional && { 304: unchanged }),
  };
}

function failures(operation: Operation) {
  const reused = takesIdempotencyKey(operation) ? (['idempotency_key_reused'] as const) : [];
  const codes = [...new Set<ErrorCode>([...commonErrors, ...(operation.errors ?? []), ...reused])];
  const byStatus = Object.groupBy(codes, (code) => errors[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      failure(operation, Number(status), group),
    ]),
  );
}

function failure({ deprecated }: Operation, status: number, codes: ErrorCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
    ...(!codes.some((code) => SPECIFIED.includes(code)) && EXPERIMENTAL),
    headers: headerRefs([
      'X-Request-Id',
      ...(status === 415 ? (['Accept-Encoding', 'Accept-Patch'] as const) : []),
      ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
      ...(BEFORE_KEY.includes(status) ? [] : RATE_LIMIT),
      ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ...(BEFORE_ROUTING.includes(status) ? [] : deprecationHeaders(deprecated)),
    ]),
    content: content(ErrorBody, Object.fromEntries(codes.map((code) => [code, errorExample(code)]))),
  };
}

const errorExample = (code: ErrorCode) => ({
  value: { code, message: errors[code].meaning, status: errors[code].status },
});

const deprecationHeaders = (deprecated: Operation['deprecated']): ResponseHeader[] =>
  deprecated ? ['Deprecation', 'Sunset', 'DeprecationLink'] : [];

function headerRefs(names: readonly ResponseHeader[]) {
  return Object.fromEntries(names.map((name) => [sentName(name), { $ref: `#/components/headers/${name}` }]));
}
