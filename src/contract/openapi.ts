import { answerHeaders } from './headers.ts';
import { describe } from './openapi-operation.ts';
import { componentSchemas, EXPERIMENTAL } from './openapi-schemas.ts';
import { operations } from './operations.ts';

export const VERSION = '1.0.0';

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
        'List animals, add one, fetch one. Every call carries an API key; every error has one shape. 64-bit integers are exact: read them with a parser that keeps them. Every `GET` answers `HEAD` too, every path `OPTIONS` with 204 and `Allow`; another method is 405 `method_not_allowed` with `Allow`, another path 404 `not_found`, both with the Error body. What is marked `x-stability: experimental` goes beyond the specification of version 1.0.0.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    tags: [
      { name: 'pets', description: 'The animals of the inventory.' },
      { name: 'store', description: 'The orders of the store, and its inventory by status.' },
    ],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      headers: componentHeaders(),
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

function componentHeaders() {
  const headers = Object.entries(answerHeaders);
  return Object.fromEntries(headers.map(([name, header]) => [name, { ...header, ...EXPERIMENTAL }]));
}
