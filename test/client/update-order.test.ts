import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, startGateway } from './support/gateway.ts';

describe('updateOrder of the client', async () => {
  const service = await startServiceForFile();
  const direct = clientOf(`${service.origin}/v1`);
  async function placeOrder() {
    const pet = await direct.createPet({ name: 'Rex', categoryId: 1 });
    return direct.createOrder({ petId: pet.id });
  }
  const statusOf = async (petId: bigint) => (await direct.listPets({ id: petId })).items[0]?.status;

  for (const mishap of ['lose request', 'lose response', 'truncate response'] as const) {
    it(`closes an order in spite of: ${mishap}`, async (t) => {
      for (const status of ['completed', 'cancelled'] as const) {
        const order = await placeOrder();
        // Newer closed orders, so that the order is not on the first page of the list.
        for (let n = 0; n < 3; n++) await direct.updateOrder((await placeOrder()).id, { status });
        const { baseUrl } = await startGateway(t, service.origin, [mishap]);
        const closed = await clientOf(baseUrl).updateOrder(order.id, { status });
        assert.deepEqual([closed.id, closed.petId, closed.status], [order.id, order.petId, status]);
        assert.equal(await statusOf(order.petId), status === 'completed' ? 'sold' : 'available');
      }
    });
  }

  it('finds the order on a later page', async (t) => {
    const order = await placeOrder();
    const newer = await Promise.all(Array.from({ length: 101 }, placeOrder));
    await Promise.all(newer.map(({ id }) => direct.updateOrder(id, { status: 'completed' })));
    const gateway = await startGateway(t, service.origin, ['lose response']);
    const closed = await clientOf(gateway.baseUrl).updateOrder(order.id, { status: 'completed' });
    assert.equal(closed.id, order.id);
    assert.deepEqual(
      gateway.requests.map(({ method }) => method),
      ['PATCH', 'PATCH', 'GET', 'GET'],
    );
  });

  it('rejects with order_closed when another client gave the order another status meanwhile', async (t) => {
    const order = await placeOrder();
    const cancelFirst: Fate = async () => {
      await direct.updateOrder(order.id, { status: 'cancelled' });
      return 'lose request';
    };
    const { baseUrl } = await startGateway(t, service.origin, [cancelFirst]);
    const error = await failureOf(clientOf(baseUrl).updateOrder(order.id, { status: 'completed' }));
    assert.deepEqual([error.code, error.status], ['order_closed', 409]);
    assert.equal(await statusOf(order.petId), 'available');
  });

  it('rejects with order_closed without looking it up when no attempt can have taken effect', async (t) => {
    const order = await placeOrder();
    await direct.updateOrder(order.id, { status: 'completed' });
    for (const fates of [[], [errorResponse(429, 'rate_limited')]]) {
      const gateway = await startGateway(t, service.origin, fates);
      const error = await failureOf(clientOf(gateway.baseUrl).updateOrder(order.id, { status: 'completed' }));
      assert.equal(error.code, 'order_closed');
      assert.ok(gateway.requests.every(({ method }) => method === 'PATCH'));
    }
  });
});
