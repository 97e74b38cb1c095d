import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { BASE_PATH, type Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations/all.ts';
import { operationScopes, type RequiredScope, type Scope } from '../../../src/contract/scope.ts';
import { assertError, header } from '../../support/assert.ts';
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

/** None, each alone, all but each, and everything. */
const sets: readonly (readonly Scope[])[] = [
  [],
  ...operationScopes.map((scope) => [scope]),
  ...operationScopes.map((left) => operationScopes.filter((scope) => scope !== left)),
  ['*'],
];

const includes = (scopes: readonly Scope[], scope: RequiredScope): boolean =>
  scope === 'any' ||
  scopes.some((given) => given === '*' || given === scope || given === scope.replace('read', 'write'));

const service = await startServiceForFile();
const client = new KeepAliveClient(service.port);
after(() => client.close());

const keyWith = async (...scopes: Scope[]): Promise<string> => (await storeKey(service.store, scopes)).key;

describe('A key with some scopes', () => {
  it('may call exactly the operations that declare one of them', async () => {
    for (const scopes of sets) {
      const headers = { authorization: `Bearer ${await keyWith(...scopes)}` };
      for (const { what, line, scope } of requests) {
        const { status } = await client.send(...line, headers);
        assert.equal(status !== 403, includes(scopes, scope), `${what} with [${scopes}]: ${status}`);
        assert.notEqual(status, 401);
      }
    }
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

  it('gains nothing by another spelling of the method or the path, or by a header', async () => {
    const key = await keyWith('store:read');
    const header = `Authorization: Bearer ${key}`;
    const statusOf = async (line: string) => (await rawRequest(service.port, line, [header])).status;
    for (const line of [
      'HEAD /v1/pets',
      'GET /v1/%70ets',
      'GET /v1/pets/%31',
      'GET http://x/v1/pets',
      'HEAD /metrics',
      'POST /v1/pets/batch',
      'GET /v1/pets?scope=*&access_token=x',
    ])
      assert.equal(await statusOf(line), 403, line);
    for (const line of [
      'GET /v1/cats',
      'GET /v1/pets/',
      'GET /V1/pets',
      'GET /v1//pets',
      'GET /v1/pets%2f',
      'get /v1/pets',
      'GET /v1/store/../pets',
      'GET /v1/keys/current/%2e%2e/%2e%2e/pets',
      'GET /v1/pets;/v1/keys/current',
      'PUT /v1/pets',
      'TRACE /v1/pets',
    ]) {
      const status = await statusOf(line);
      assert.ok([400, 404, 405, 501].includes(status), `${line}: ${status}`);
    }
    const headers = {
      'x-http-method-override': 'GET',
      'x-original-url': '/v1/keys/current',
      'x-rewrite-url': '/v1/keys/current',
      'x-scope': '*',
    };
    assertError(await service.call('DELETE', '/v1/pets/1', { key, headers }), 403, 'insufficient_scope');
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
