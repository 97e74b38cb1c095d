import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { startGateway } from './support/gateway.ts';

describe('ifMatch', async () => {
  const service = await startServiceForFile();
  const direct = clientOf(`${service.origin}/v1`);
  const add = () => direct.createPet({ name: 'Rex', categoryId: 7 });

  it('changes the animal as it is known, and no other', async () => {
    const rex = await add();
    const max = await direct.updatePet(rex.id, { name: 'Max' }, { ifMatch: rex.etag });
    assert.notEqual(max.etag, rex.etag);
    for (const call of [
      direct.updatePet(rex.id, { name: 'Rocky' }, { ifMatch: rex.etag }),
      direct.removePet(rex.id, { ifMatch: rex.etag }),
    ]) {
      const { code, status } = await failureOf(call);
      assert.deepEqual([code, status], ['precondition_failed', 412]);
    }
    assert.deepEqual(await direct.updatePet(rex.id, {}), max);
    await direct.removePet(rex.id, { ifMatch: max.etag });
    assert.deepEqual(await direct.restorePet(rex.id), max);
  });

  it('takes an etag that a proxy has weakened, and sends the strong one', async () => {
    const weaken: typeof fetch = async (...args) => {
      const { body, status, headers } = await fetch(...args);
      const weak = { 'content-type': 'application/json', etag: `W/${headers.get('etag')}` };
      return new Response(body, { status, headers: weak });
    };
    const rex = await add();
    const store = clientOf(`${service.origin}/v1`, { fetch: weaken });
    assert.deepEqual(await store.updatePet(rex.id, {}), rex);
    const max = await store.updatePet(rex.id, { name: 'Max' }, { ifMatch: `W/${rex.etag}` });
    await store.removePet(rex.id, { ifMatch: max.etag });
  });

  it('must be an etag: a request without its condition is never made', async () => {
    const rex = await add();
    for (const ifMatch of ['', '*', 'abc', `w/${rex.etag}`, `${rex.etag}, "b"`, '"a\nb"']) {
      const calls = [
        direct.updatePet(rex.id, { name: 'Max' }, { ifMatch }),
        direct.removePet(rex.id, { ifMatch }),
      ];
      for (const call of calls) assert.equal((await failureOf(call)).code, 'invalid_argument');
    }
    assert.deepEqual(await direct.updatePet(rex.id, {}), rex);
  });

  it('has no etag to take when a proxy has removed it', async (t) => {
    const body = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';
    const { baseUrl } = await startGateway(t, service.origin, [{ status: 200, body }]);
    const rex = await clientOf(baseUrl).updatePet(1, {});
    assert.deepEqual([rex.name, rex.etag], ['Rex', undefined]);
  });
});
