import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { BASE_PATH, type Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations/all.ts';
import { operationScopes, type RequiredScope, type Scope } from '../../../src/contract/scope.ts';
import { assertError, header } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { KeepAliveClient } from '../../support/wire/keep-alive.ts';
import { rawRequest } from '../../support/wire/raw-request.ts';

/** What every operation requires: a change of it needs a second look. */
const declared: Record<keyof typeof operations, RequiredScope> = {
  listPets: 'pets:read',
  createPet: 'pets:write',
  getPet: 'pets:read',
  updatePet: 'pets:write',
  removePet: 'pets:write',
  restorePet: 'pets:write',
  createPets: 'pets:write',
  listCategories: 'pets:read',
  createCategory: 'pets:write',
  getCategory: 'pets:read',
  setCategory: 'pets:write',
  removeCategory: 'pets:write',
  listOrders: 'store:read',
  createOrder: 'store:write',
  getOrder: 'store:read',
  updateOrder: 'store:write',
  getInventory: 'store:read',
  listEvents: 'events:read',
  listKeys: 'keys:read',
  createKey: 'keys:write',
  updateKey: 'keys:write',
  revokeKey: 'keys:write',
  rotateKey: 'keys:write',
  getCurrentKey: 'any',
};

interface Request {
  readonly what: string;
  readonly line: readonly [method: string, path: string];
  readonly scope: RequiredScope;
}

/** A request for each operation and for `/metrics`, without a body and for what does not exist: none changes anything. */
const requests: readonly Request[] = [
  ...Object.values<Operation>(operations).map(({ id, method, path }) => ({
    what: id,
    line: [method, BASE_PATH + path.replace(/\{\w+\}/, '0')] as const,
    scope: declared[id as keyof typeof operations],
  })),
  { what: 'metrics', line: ['GET', '/metrics'], scope: 'metrics:read' },
];

/** All 256 of them. */
const subsets = Array.from({ length: 2 ** operationScopes.length }, (_, bits) =>
  operationScopes.filter((_, place) => bits & (1 << place)),
);

const includes = (scopes: readonly Scope[], scope: RequiredScope): boolean =>
  scope === 'any' || scopes.some((given) => given === scope || given === scope.replace('read', 'write'));

const service = await startServiceForFile();
const client = new KeepAliveClient(service.port);
after(() => client.close());
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function keysWith(scopes: readonly (readonly Scope[])[]): Promise<string[]> {
  const keys = await Promise.all(scopes.map((one) => storeKey(service.store, one)));
  const isKnown = async ({ key }: { key: string }) =>
    (await client.get('/v1/none', bearer(key))).status === 404;
  for (const key of keys) await eventually(() => isKnown(key), 'the service knows the key');
  return keys.map(({ key }) => key);
}

const keyWith = async (...scopes: Scope[]): Promise<string> => (await keysWith([scopes]))[0] as string;

describe('A key with some scopes', () => {
  it('may call exactly the operations that declare one of them, for every set of scopes', async (t) => {
    const keys = await keysWith(subsets);
    const clients = Array.from({ length: 8 }, () => new KeepAliveClient(service.port));
    t.after(() => clients.forEach((one) => void one.close()));
    for (const [i, scopes] of subsets.entries()) {
      const headers = bearer(keys[i] as string);
      const check = async ({ what, line, scope }: Request, place: number) => {
        const { status } = await (clients[place % clients.length] ?? client).send(...line, headers);
        const expected = includes(scopes, scope) ? 'allowed' : 'refused';
        assert.equal(status === 403 ? 'refused' : 'allowed', expected, `${what} with [${scopes}]: ${status}`);
        assert.notEqual(status, 401);
      };
      await Promise.all(requests.map(check));
    }
  });

  it('may call everything with *', async () => {
    const headers = bearer(await keyWith('*'));
    for (const { what, line } of requests)
      assert.notEqual((await client.send(...line, headers)).status, 403, what);
  });

  it('is refused with the challenge of RFC 6750 and a message that names the scope', async () => {
    const key = await keyWith('pets:read', 'store:write');
    const refused = await service.call('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 7 } });
    assert.equal(assertError(refused, 403, 'insufficient_scope'), 'This API key lacks the scope pets:write.');
    assert.equal(
      header(refused, 'www-authenticate'),
      'Bearer realm="animal-store", error="insufficient_scope", scope="pets:write"',
    );
    assert.deepEqual((await service.call('GET', '/v1/pets', { key })).json, []);
  });

  it('is refused before the body is read, whatever it is', async () => {
    const key = await keyWith('pets:read');
    const lines = [`Authorization: Bearer ${key}`, 'Content-Length: 60000', 'Expect: 100-continue'];
    const answer = await rawRequest(service.port, 'POST /v1/pets', lines);
    assertError(answer, 403, 'insufficient_scope');
    for (const raw of ['{', 'x'.repeat(70_000)])
      assertError(await service.call('POST', '/v1/pets', { key, raw }), 403, 'insufficient_scope');
    const limit = await service.call('GET', '/v1/store/orders?limit=x', { key });
    assertError(limit, 403, 'insufficient_scope');
  });

  it('still learns that a path or a method does not exist', async () => {
    const key = await keyWith('store:read');
    assertError(await service.call('GET', '/v1/pets/', { key }), 404, 'not_found');
    assertError(await service.call('GET', '/v1/cats', { key }), 404, 'not_found');
    assertError(await service.call('PUT', '/v1/pets', { key }), 405, 'method_not_allowed');
    assert.equal((await service.call('OPTIONS', '/v1/pets', { key: null })).status, 204);
  });

  it('gains nothing by another spelling of the method or the path', async () => {
    const key = await keyWith('store:read');
    const tries = [
      'HEAD /v1/pets',
      'GET /v1/%70ets',
      'GET /v1/pets/%31',
      'GET http://x/v1/pets',
      'HEAD /metrics',
      'POST /v1/pets/batch',
      'GET /v1/pets?scope=*&access_token=x',
    ];
    for (const line of tries) {
      const { status } = await rawRequest(service.port, line, [`Authorization: Bearer ${key}`]);
      assert.equal(status, 403, line);
    }
    for (const line of [
      'GET /v1/pets/',
      'GET /V1/pets',
      'GET /v1//pets',
      'GET /v1/pets%2f',
      'get /v1/pets',
      'GET /v1/store/../pets',
      'GET /v1/keys/current/%2e%2e/%2e%2e/pets',
      'GET /v1/pets;/v1/keys/current',
      'TRACE /v1/pets',
    ]) {
      const { status } = await rawRequest(service.port, line, [`Authorization: Bearer ${key}`]);
      assert.ok([400, 404, 405, 501].includes(status), `${line}: ${status}`);
    }
  });

  it('gains nothing by a header that names another method, path or scope', async () => {
    const key = await keyWith('pets:read');
    const headers = {
      'x-http-method-override': 'GET',
      'x-original-url': '/v1/keys/current',
      'x-rewrite-url': '/v1/keys/current',
      'x-scope': '*',
    };
    assertError(await service.call('DELETE', '/v1/pets/1', { key, headers }), 403, 'insufficient_scope');
    assert.equal((await service.call('OPTIONS', '/v1/keys', { key })).status, 204);
  });

  it('is counted and logged by its id when it is refused', async () => {
    const key = await keyWith('metrics:read');
    const { headers } = await service.call('GET', '/v1/pets', { key });
    const line = service.log.find(({ requestId }) => requestId === headers.get('x-request-id'));
    assert.equal(line?.status, 403);
    assert.match(String(line?.keyId), /^\d+$/);
    const { text } = await service.call('GET', '/metrics', { key });
    assert.ok(sum(text, 'animal_store_rejected_requests_total', '"insufficient_scope"') > 0);
  });
});
