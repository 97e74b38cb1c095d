import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, startGateway } from './support/gateway.ts';

describe('ifMatch', async () => {
  const service = await startServiceForFile();
  const direct = clientOf(`${service.origin}/v1`);
  const add = () => direct.createPet({ name: 'Rex', categoryId: 7 });
  const through = async (t: TestContext, ...fates: Fate[]) => {
    const gateway = await startGateway(t, service.origin, fates);
    return { store: clientOf(gateway.baseUrl), requests: gateway.requests };
  };
  const isRemoved = async (id: bigint) => (await direct.listPets({ id })).items.length === 0;

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

  it('lets one of many clients with the same etag succeed', async () => {
    const rex = await add();
    const names = Array.from({ length: 20 }, (_, n) => `Rex ${n}`);
    const outcomes = await Promise.allSettled(
      names.map((name) => direct.updatePet(rex.id, { name }, { ifMatch: rex.etag })),
    );
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    assert.equal(won.length, 1);
  });

  it('must be an etag: a request without its condition is never made', async () => {
    const rex = await add();
    for (const ifMatch of ['', '*', 'abc', `W/${rex.etag}`, `${rex.etag}, "b"`, '"a\nb"']) {
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
    const { store } = await through(t, { status: 200, body });
    const rex = await store.updatePet(1, {});
    assert.deepEqual([rex.name, rex.etag], ['Rex', undefined]);
  });

  it('is sent again after a lost request', async (t) => {
    const rex = await add();
    const { store, requests } = await through(t, 'lose request', errorResponse(503, 'unavailable'));
    const { etag } = await store.updatePet(rex.id, { name: 'Max' }, { ifMatch: rex.etag });
    assert.deepEqual(
      requests.map(({ headers }) => headers['if-match']),
      [rex.etag, rex.etag, rex.etag],
    );
    await (await through(t, 'lose request')).store.removePet(rex.id, { ifMatch: etag });
    assert.ok(await isRemoved(rex.id));
  });

  it('rejects with the failure, not with the refusal, when it is not known whose change it was', async (t) => {
    const rex = await add();
    const { store } = await through(t, 'lose response');
    const lost = await failureOf(store.updatePet(rex.id, { name: 'Max' }, { ifMatch: rex.etag }));
    assert.equal(lost.code, 'network_error');
    const { name, etag } = await direct.updatePet(rex.id, {});
    assert.equal(name, 'Max');
    const gone = await failureOf(
      (await through(t, 'lose response')).store.removePet(rex.id, { ifMatch: etag }),
    );
    assert.equal(gone.code, 'network_error');
    assert.ok(await isRemoved(rex.id));
  });

  it('rejects with the refusal when no attempt can have taken effect', async (t) => {
    const rex = await add();
    const busy = errorResponse(429, 'rate_limited');
    const { store } = await through(t, busy, 'forward', busy);
    const ifMatch = '"another"';
    assert.equal((await failureOf(store.updatePet(rex.id, { name: 'Max' }, { ifMatch }))).status, 412);
    assert.equal((await failureOf(store.removePet(rex.id, { ifMatch }))).status, 412);
  });
});

describe('updatePet with a status', async () => {
  const service = await startServiceForFile();
  const direct = clientOf(`${service.origin}/v1`);

  it('does not put an animal on sale again that was sold between two attempts', async (t) => {
    // The animal looks as before, so that its etag does not help.
    for (const withEtag of [false, true]) {
      const sold = await direct.createPet({ name: 'Rex', categoryId: 7, status: 'sold' });
      const options = withEtag ? { ifMatch: sold.etag } : {};
      const sellAgain: Fate = async () => {
        await direct.updatePet(sold.id, { status: 'available' });
        const order = await direct.createOrder({ petId: sold.id });
        await direct.updateOrder(order.id, { status: 'completed' });
        return 'lose request';
      };
      const { baseUrl } = await startGateway(t, service.origin, [sellAgain]);
      const lost = await failureOf(clientOf(baseUrl).updatePet(sold.id, { status: 'available' }, options));
      assert.equal(lost.code, 'network_error');
      assert.equal((await direct.updatePet(sold.id, {})).status, 'sold');
    }
  });

  it('is tried again after 429', async (t) => {
    const rex = await direct.createPet({ name: 'Rex', categoryId: 7 });
    const gateway = await startGateway(t, service.origin, [errorResponse(429, 'rate_limited')]);
    const { status } = await clientOf(gateway.baseUrl).updatePet(rex.id, { status: 'pending' });
    assert.equal(status, 'pending');
    assert.equal(gateway.requests.length, 2);
  });
});
