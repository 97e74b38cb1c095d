import { responseHeaders } from '../headers.ts';
import { VERSION } from '../operation.ts';
import { operations } from '../operations/all.ts';
import type { Server } from '../servers.ts';
import { describe } from './operation-object.ts';
import { componentSchemas, EXPERIMENTAL } from './schemas.ts';

/** The OpenAPI 3.1 document of the API as deployed at `servers`. */
export function openapi(servers: readonly Server[]) {
  const paths: Record<string, Record<string, Description>> = {};
  for (const operation of Object.values(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Animal Store',
      version: VERSION,
      summary: 'A pet store inventory over HTTP and JSON.',
      description:
        'List, add and order animals. Every request needs an API key, and every error has the same body. 64-bit integers are exact: use a JSON parser that does not round them. Every path that supports `GET` supports `HEAD`, and every path answers `OPTIONS` with 204 and `Allow`. An unsupported method gets 405 `method_not_allowed` with `Allow`, an unknown path 404 `not_found`. Everything marked `x-stability: experimental` goes beyond the specification of version 1.0.0.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    // Each operation has its scope. Viewers and generators look here for the way in which to authenticate.
    security: [{ apiKey: [] }],
    tags: [
      { name: 'pets', description: 'The animals in the inventory.' },
      { name: 'categories', description: 'Names for the categories that animals refer to.' },
      { name: 'store', description: 'Orders for animals, and the inventory by status.' },
      { name: 'events', description: 'Every change, in order.' },
      { name: 'keys', description: 'API keys and what they may do.' },
    ],
    paths,
    components: {
      schemas: componentSchemas(),
      headers: componentHeaders(),
      parameters: share('parameters', all),
      responses: share('responses', all),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Send an API key with every request: `Authorization: Bearer <API_KEY>`. A key has scopes, or full access (`*`); a scope for writing includes reading.',
        },
      },
    },
  };
}

function componentHeaders() {
  const headers = Object.entries(responseHeaders).map(([name, { description, example }]) => {
    const schema = { type: typeof example === 'number' ? 'integer' : 'string' };
    return [name, { description, schema, example, ...EXPERIMENTAL }];
  });
  return Object.fromEntries(headers);
}

type Description = ReturnType<typeof describe>;

/** A parameter or a response of an operation. */
interface Part {
  readonly name?: string;
  readonly content?: { readonly 'application/json'?: { readonly examples?: object } };
}

/**
 * Replaces each parameter, or each error response, that several operations have by a reference to a component, and returns the components
 * by name.
 */
function share(kind: 'parameters' | 'responses', described: readonly Description[]): Record<string, Part> {
  const components: Record<string, Part> = {};
  const all = described.flatMap((one) => {
    const parts = one[kind] as Record<string, Part | { $ref: string }>;
    return Object.entries(one[kind]).map(([key, part]: [string, Part]) => ({ parts, key, part }));
  });
  for (const copies of Map.groupBy(all, ({ part }) => JSON.stringify(part)).values()) {
    const name = copies[0]?.part.name ?? errorName(copies[0]?.part);
    if (name === undefined || copies.length === 1) continue;
    if (name in components) throw new Error(`Two of ${kind} are named ${name}.`);
    for (const { parts, key, part } of copies) {
      components[name] = part;
      parts[key] = { $ref: `#/components/${kind}/${name}` };
    }
  }
  return components;
}

/** An error response is named after the last of its codes, which is the most specific one: `PetNotFound`. */
const errorName = (part: Part | undefined): string | undefined =>
  Object.keys(part?.content?.['application/json']?.examples ?? {})
    .at(-1)
    ?.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
