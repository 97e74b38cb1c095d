import { responseHeaders } from '../headers.ts';
import { VERSION } from '../operation.ts';
import { operations } from '../operations/all.ts';
import type { Server } from '../servers.ts';
import { describe } from './operation-object.ts';
import { componentSchemas, EXPERIMENTAL } from './schemas.ts';

/** The OpenAPI 3.1 document of the API as deployed at `servers`. */
export function openapi(servers: readonly Server[]) {
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
    tags: [
      { name: 'pets', description: 'The animals in the inventory.' },
      { name: 'categories', description: 'Names for the categories that animals refer to.' },
      { name: 'store', description: 'Orders for animals, and the inventory by status.' },
      { name: 'events', description: 'Every change, in order.' },
      { name: 'keys', description: 'API keys and what they may do.' },
    ],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      headers: componentHeaders(),
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

function componentHeaders() {
  const headers = Object.entries(responseHeaders);
  return Object.fromEntries(headers.map(([name, header]) => [name, { ...header, ...EXPERIMENTAL }]));
}
