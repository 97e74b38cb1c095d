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
        const { baseUrl } = await startGateway(t, service.origin, [mishap]);
        const closed = await clientOf(baseUrl).updateOrder(order.id, { status });
        assert.deepEqual([closed.id, closed.petId, closed.status], [order.id, order.petId, status]);
        assert.equal(await statusOf(order.petId), status === 'completed' ? 'sold' : 'available');
      }
    });
  }

  it('looks the order up with one request', async (t) => {
    const order = await placeOrder();
    const gateway = await startGateway(t, service.origin, ['lose response']);
    const closed = await clientOf(gateway.baseUrl).updateOrder(order.id, { status: 'completed' });
    assert.deepEqual(closed, await direct.getOrder(order.id));
    assert.deepEqual(
      gateway.requests.map(({ method }) => method),
      ['PATCH', 'PATCH', 'GET'],
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

  it('takes a sale back in spite of a lost response', async (t) => {
    const order = await placeOrder();
    await direct.updateOrder(order.id, { status: 'completed' });
    const { baseUrl } = await startGateway(t, service.origin, ['lose response']);
    const returned = await clientOf(baseUrl).updateOrder(order.id, { status: 'returned' });
    assert.equal(returned.status, 'returned');
    assert.equal(await statusOf(order.petId), 'available');
  });

  it('rejects with the failure when the order was completed and taken back between two attempts', async (t) => {
    const order = await placeOrder();
    const completeAndReturn: Fate = async () => {
      for (const status of ['completed', 'returned'] as const) await direct.updateOrder(order.id, { status });
      return 'lose request';
    };
    const { baseUrl } = await startGateway(t, service.origin, [completeAndReturn]);
    const error = await failureOf(clientOf(baseUrl).updateOrder(order.id, { status: 'completed' }));
    assert.equal(error.code, 'network_error');
  });

  it('closes an order with a note in spite of a lost response', async (t) => {
    for (const note of ['Ms Lee, paid', null]) {
      const pet = await direct.createPet({ name: 'Rex', categoryId: 1 });
      const order = await direct.createOrder({ petId: pet.id, note: 'Ms Lee' });
      const { baseUrl } = await startGateway(t, service.origin, ['lose response']);
      const closed = await clientOf(baseUrl).updateOrder(order.id, { status: 'completed', note });
      assert.deepEqual([closed.status, closed.note], ['completed', note ?? undefined]);
    }
  });

  it('rejects with the failure when the order has the status, but another note', async (t) => {
    for (const note of ['Ms Lee, paid', null]) {
      const order = await placeOrder();
      const completeFirst: Fate = async () => {
        await direct.updateOrder(order.id, { status: 'completed', note: 'Mr Kim' });
        return 'lose request';
      };
      const { baseUrl } = await startGateway(t, service.origin, [completeFirst]);
      const update = { status: 'completed', note } as const;
      assert.equal((await failureOf(clientOf(baseUrl).updateOrder(order.id, update))).code, 'network_error');
      assert.equal((await direct.getOrder(order.id)).note, 'Mr Kim');
    }
  });

  it('changes the note alone, of a closed order as well, in spite of a lost response', async (t) => {
    const order = await placeOrder();
    await direct.updateOrder(order.id, { status: 'cancelled' });
    const gateway = await startGateway(t, service.origin, ['lose response']);
    const { note, status } = await clientOf(gateway.baseUrl).updateOrder(order.id, { note: 'Ms Lee' });
    assert.deepEqual([note, status, gateway.requests.length], ['Ms Lee', 'cancelled', 2]);
    const { items } = await direct.listEvents({ petId: order.petId, type: 'order.updated' });
    assert.equal(items.length, 1, 'changed once');
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
