import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Order } from '../../../src/contract/order.ts';
import type { Pet, PetStatus } from '../../../src/contract/pet.ts';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

async function addPet(status: PetStatus = 'available'): Promise<Pet> {
  return (await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1, status } }))
    .json as Pet;
}
const order = (petId: unknown) => service.call('POST', '/v1/store/orders', { raw: `{"petId":${petId}}` });
const update = (orderId: unknown, status: unknown) =>
  service.call('PATCH', `/v1/store/orders/${orderId}`, { body: { status } });
const statusOf = async ({ id }: Pet) =>
  ((await service.call('GET', `/v1/pets?id=${id}`)).json as Pet[])[0]?.status;
const placed = async (pet: Pet) => (await order(pet.id)).json as Order;

describe('POST /v1/store/orders', () => {
  it('reserves an available animal', async () => {
    const pet = await addPet();
    const answer = await order(pet.id);
    assert.equal(answer.status, 201);
    assert.equal(header(answer, 'location'), `orders/${(answer.json as Order).id}`);
    const { id, createdAt, updatedAt, ...rest } = answer.json as Order;
    assert.deepEqual(rest, { petId: pet.id, status: 'placed' });
    assert.ok(id >= 1);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updatedAt, createdAt);
    assert.equal(await statusOf(pet), 'pending');
  });

  it('answers 404 for an animal that does not exist', async () => {
    assertError(await order('9223372036854775807'), 404, 'pet_not_found');
  });

  for (const petId of ['"1"', 'null', '1.5', '9223372036854775808', '[1]']) {
    it(`refuses the petId ${petId}`, async () => {
      assert.match(assertError(await order(petId), 400, 'invalid_request'), /petId/);
    });
  }

  it('with the status completed sells it', async () => {
    const pet = await addPet();
    const body = { petId: pet.id, status: 'completed' };
    const { status, json } = await service.call('POST', '/v1/store/orders', { body });
    const { id, createdAt, ...rest } = json as Order;
    assert.deepEqual([status, rest], [201, { ...body, updatedAt: createdAt, completedAt: createdAt }]);
    assert.equal(await statusOf(pet), 'sold');
  });

  it('refuses another status, and says which are possible', async () => {
    for (const status of ['cancelled', 'sold', null]) {
      const body = { petId: (await addPet()).id, status };
      const answer = await service.call('POST', '/v1/store/orders', { body });
      assert.match(assertError(answer, 400, 'invalid_request'), /^status must be placed or completed\.$/);
    }
  });
});

describe('PATCH /v1/store/orders/{orderId}', () => {
  it('changes the order and its animal', async () => {
    const pet = await addPet();
    const before = await placed(pet);
    const answer = await update(before.id, 'completed');
    const { updatedAt, ...order } = answer.json as Order;
    const expected = { id: before.id, petId: pet.id, status: 'completed', createdAt: before.createdAt };
    assert.deepEqual([answer.status, order], [200, { ...expected, completedAt: updatedAt }]);
    assert.ok(updatedAt >= before.updatedAt);
    assert.equal(await statusOf(pet), 'sold');
  });

  for (const status of ['sold', null, 1, undefined]) {
    it(`refuses the status ${status}`, async () => {
      const { id } = await placed(await addPet());
      assert.match(assertError(await update(id, status), 400, 'invalid_request'), /status/);
    });
  }

  for (const id of ['9223372036854775807', '9223372036854775808', 'abc', '1.0', '007']) {
    it(`answers 404 for the order ${id}`, async () => {
      assertError(await update(id, 'completed'), 404, 'order_not_found');
    });
  }

  it('requires a key', async () => {
    assertError(await service.call('PATCH', '/v1/store/orders/1', { key: null }), 401, 'unauthorized');
  });
});

describe('GET /v1/store/orders/{orderId}', () => {
  const get = (orderId: unknown) => service.call('GET', `/v1/store/orders/${orderId}`);

  it('returns the order as it is now', async () => {
    const first = await placed(await addPet());
    const { status, json } = await get(first.id);
    assert.deepEqual([status, json], [200, first]);
    const closed = (await update(first.id, 'completed')).json;
    assert.deepEqual((await get(first.id)).json, closed);
  });

  for (const id of ['9223372036854775807', '9223372036854775808', '0', 'abc', '1.0', '007']) {
    it(`answers 404 for the order ${id}`, async () => {
      assertError(await get(id), 404, 'order_not_found');
    });
  }

  it('requires a key, and names the methods of the path', async () => {
    assertError(await service.call('GET', '/v1/store/orders/1', { key: null }), 401, 'unauthorized');
    const answer = await service.call('DELETE', '/v1/store/orders/1');
    assertError(answer, 405, 'method_not_allowed');
    assert.equal(header(answer, 'allow'), 'GET, HEAD, PATCH, OPTIONS');
  });
});
