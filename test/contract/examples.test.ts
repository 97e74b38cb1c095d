import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openapi } from '../../src/contract/openapi/document.ts';
import { startService } from '../support/service/service.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

const JSON_TYPE = 'application/json';
const NEW_KEY = { name: 'till 3', scopes: ['pets:read', 'store:write'] };
const PET = { name: 'Rex', categoryId: 7 };

/** What must exist before the example of a request can be sent: as the examples have it. */
const preparations: Readonly<Record<string, readonly [path: string, body: object][]>> = {
  // The identifiers of the examples: the category is the seventh.
  createCategory: [1, 2, 3, 4, 5, 6].map((number) => ['/categories', { name: `Category ${number}` }]),
  setCategory: [],
  createPet: [],
  createPets: [],
  updatePet: [['/pets', PET]],
  createOrder: [['/pets', PET]],
  // The identifier of the example: the key is the second.
  createKey: [['/keys', NEW_KEY]],
  updateKey: [1, 2].map(() => ['/keys', NEW_KEY]),
  rotateKey: [1, 2].map(() => ['/keys', NEW_KEY]),
  updateOrder: [
    ['/pets', PET],
    ['/store/orders', { petId: 1, note: 'Ms Lee, Friday' }],
  ],
};

/** Times and API keys differ from run to run, and the test has a key from the configuration. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, one) =>
    /At$|^key$|^(created|changed|rotated)By$/.test(key) ? typeof one : one,
  );

/** The path with the example of each of its parameters. */
const filledIn = (path: string, { operationId, parameters }: Described): string =>
  path.replace(/\{(\w+)\}/, (_match, wanted) => {
    const found = parameters.find(({ name, in: place }) => name === wanted && place === 'path');
    return `${found?.example ?? assert.fail(`${operationId} has no example for ${wanted}`)}`;
  });

describe('The examples of the OpenAPI document', () => {
  const { paths } = openapi([]) as unknown as { paths: Record<string, Record<string, Described>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  for (const { path, method, operation } of operations) {
    const { operationId: id, requestBody, responses } = operation;
    if (requestBody === undefined) continue;
    it(`${id}: the service answers the example of the request with the example of the answer`, async (t) => {
      const service = await startService(t);
      for (const [to, body] of preparations[id] ?? assert.fail(`no preparation for ${id}`))
        await service.call('POST', `/v1${to}`, { body });
      const target = `/v1${filledIn(path, operation)}`;
      const body = requestBody.content[JSON_TYPE]?.example as object;
      const { status, text } = await service.call(method.toUpperCase(), target, { body });
      const expected = responses[status]?.content?.[JSON_TYPE]?.example;
      assert.deepEqual(comparable(JSON.parse(text)), comparable(expected));
    });
  }

  it('every path parameter has one', () => {
    for (const { path, operation } of operations) assert.doesNotMatch(filledIn(path, operation), /[{}]/);
  });
});
