import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openapi } from '../../src/contract/openapi/document.ts';
import { withParts } from '../support/openapi.ts';
import { startService } from '../support/service/service.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: unknown;
    readonly schema: { readonly $ref?: string; readonly type?: string; readonly default?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

const JSON_TYPE = 'application/json';
const NEW_KEY = { name: 'till 3', scopes: ['pets:read', 'store:write'] };
const PET = { name: 'Rex', categoryId: 4 };

type Preparation = readonly [path: string, body: object];
const pets = (count: number): Preparation[] => Array.from({ length: count }, () => ['/pets', PET]);
const keys = (count: number): Preparation[] => Array.from({ length: count }, () => ['/keys', NEW_KEY]);

/** What must exist before the example of a request can be sent, so that the identifiers are those of the examples. */
const preparations: Readonly<Record<string, readonly Preparation[]>> = {
  createCategory: [1, 2, 3, 4, 5, 6].map((number) => ['/categories', { name: `Category ${number}` }]),
  setCategory: [],
  createPet: pets(2),
  createPets: pets(2),
  updatePet: pets(3),
  createOrder: pets(3),
  updateOrder: [...pets(3), ['/store/orders', { petId: 3, note: 'Ms Lee, Friday' }]],
  createKey: keys(1),
  updateKey: keys(2),
  rotateKey: keys(2),
};

/** Times and API keys differ from run to run, and the test has a key from the configuration. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, one) =>
    /At$|^key$|^(created|changed|completed|rotated)By$/.test(key) ? typeof one : one,
  );

/** The path with the example of each of its parameters. */
const filledIn = (path: string, { operationId, parameters }: Described): string =>
  path.replace(/\{(\w+)\}/, (_match, wanted) => {
    const found = parameters.find(({ name, in: place }) => name === wanted && place === 'path');
    return `${found?.example ?? assert.fail(`${operationId} has no example for ${wanted}`)}`;
  });

describe('The examples of the OpenAPI document', () => {
  const { paths } = withParts(openapi([])) as unknown as { paths: Record<string, Record<string, Described>> };
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

  it('every filter of a list has one, unless its values are listed, and the service accepts all of them', async (t) => {
    const service = await startService(t);
    const without: string[] = [];
    for (const { path, operation } of operations.filter(({ method }) => method === 'get')) {
      const query = new URLSearchParams();
      for (const { name, in: place, example, schema } of operation.parameters) {
        if (place !== 'query') continue;
        if (example !== undefined) query.append(name, `${example}`);
        else if (schema.default === undefined && !schema.$ref && schema.type !== 'array') without.push(name);
      }
      const target = `/v1${filledIn(path, operation)}`;
      for (const one of ['', ...[...query].map((pair) => new URLSearchParams([pair])), query])
        assert.notEqual((await service.call('GET', `${target}?${one}`)).status, 400, `${target}?${one}`);
    }
    // Both come from an earlier response of the same store.
    assert.deepEqual([...new Set(without)], ['cursor', 'after']);
  });
});
