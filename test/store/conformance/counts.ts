import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import { listCategories } from '../../support/lists.ts';
import { categoryIn, orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const none = { available: 0n, pending: 0n, sold: 0n };
const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

export function counts(open: Open): void {
  describe('counts the animals of a category', () => {
    it('through everything that can happen to them, named or not', async (t) => {
      const { store } = await open(t);
      assert.deepEqual(await store.countPets(7n), none);
      const pet = petIn(await store.createPet(rex));
      await store.createPets([rex, { ...rex, categoryId: INT64_MIN, status: 'sold' }]);
      assert.deepEqual(await store.countPets(7n), { ...none, available: 2n });
      assert.deepEqual(await store.countPets(INT64_MIN), { ...none, sold: 1n });
      const order = orderIn(await store.createOrder({ petId: pet.id }));
      assert.deepEqual(await store.countPets(7n), { ...none, available: 1n, pending: 1n });
      await store.updatePet(pet.id, { categoryId: INT64_MAX });
      assert.deepEqual(await store.countPets(7n), { ...none, available: 1n });
      assert.deepEqual(await store.countPets(INT64_MAX), { ...none, pending: 1n });
      await store.updateOrder(order.id, { status: 'completed' });
      assert.deepEqual(await store.countPets(INT64_MAX), { ...none, sold: 1n });
      await store.updateOrder(order.id, { status: 'returned' });
      await store.updatePet(pet.id, { categoryId: 7n, status: 'sold' });
      assert.deepEqual(await store.countPets(7n), { ...none, available: 1n, sold: 1n });
      await store.removePet(pet.id);
      assert.deepEqual(await store.countPets(7n), { ...none, available: 1n });
      await store.restorePet(pet.id);
      assert.deepEqual(await store.countPets(7n), { ...none, available: 1n, sold: 1n });
      assert.deepEqual(await store.countPets(INT64_MAX), none);
    });

    it('and shows the counts with every category', async (t) => {
      const { store } = await open(t);
      const [dogs, cats] = [
        categoryIn(await store.createCategory({ name: 'Dogs "}' })),
        categoryIn(await store.createCategory({ name: 'Cats' })),
      ];
      assert.deepEqual(dogs.inventory, none);
      for (const status of ['available', 'sold', 'sold'] as const)
        await store.createPet({ ...rex, categoryId: dogs.id, status });
      const counted = { ...dogs, inventory: { available: 1n, pending: 0n, sold: 2n } };
      assert.deepEqual(await store.getCategory(dogs.id), counted);
      assert.deepEqual(await listCategories(store, { limit: 9 }), [cats, counted]);
      assert.deepEqual(await listCategories(store, { limit: 1, name: 'dog' }), [counted]);
      await store.setCategory({ id: dogs.id, name: 'Big dogs' });
      assert.deepEqual((await store.getCategory(dogs.id))?.inventory, counted.inventory);
    });
  });
}
