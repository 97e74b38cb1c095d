import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf, withoutEtag } from './support/client.ts';

describe('The client changes animals', async () => {
  const service = await startServiceForFile();
  const store = clientOf(`${service.origin}/v1`);
  const add = (name: string) => store.createPet({ name, categoryId: 7 });

  it('adds several at once, with every digit', async () => {
    const added = await store.createPets([
      { name: 'A', categoryId: 2n ** 63n - 1n },
      { name: 'B', categoryId: 1, status: 'sold' },
    ]);
    assert.deepEqual(
      added.map(({ name, categoryId, status }) => [name, categoryId, status]),
      [
        ['A', 2n ** 63n - 1n, 'available'],
        ['B', 1n, 'sold'],
      ],
    );
  });

  it('updates, removes, lists what is removed, and restores', async () => {
    const rex = await add('Rex');
    const renamed = await store.updatePet(rex.id, { name: 'Max', categoryId: 9007199254740993n });
    const expected = { ...withoutEtag(rex), name: 'Max', categoryId: 9007199254740993n };
    assert.deepEqual(withoutEtag(renamed), expected);
    assert.deepEqual(await store.updatePet(rex.id, {}), renamed);
    assert.equal(await store.removePet(rex.id), undefined);
    assert.deepEqual((await store.listPets({ id: rex.id })).items, []);
    assert.deepEqual(
      (await store.listPets({ removed: true })).items.map(({ id }) => id),
      [rex.id],
    );
    assert.deepEqual(await store.restorePet(rex.id), renamed);
    assert.equal((await failureOf(store.restorePet(rex.id))).code, 'pet_not_removed');
    assert.equal((await failureOf(store.removePet(0))).code, 'pet_not_found');
  });

  it('names categories, finds animals by them, and removes them', async () => {
    const cats = await store.createCategory({ name: 'Cats' });
    assert.deepEqual(await store.getCategory(cats.id), cats);
    const named = await store.setCategory(9007199254740995n, { name: 'Dogs' });
    const inventory = { available: 0n, pending: 0n, sold: 0n };
    assert.deepEqual(named, { id: 9007199254740995n, name: 'Dogs', inventory });
    const dog = await store.createPet({ name: 'Rex', categoryId: named.id });
    assert.deepEqual((await store.listPets({ categoryId: named.id })).items, [withoutEtag(dog)]);
    const counted = { ...named, inventory: { ...inventory, available: 1n } };
    assert.deepEqual((await store.listCategories({ name: 'do' })).items, [counted]);
    assert.deepEqual(await store.getInventory({ categoryId: named.id }), counted.inventory);
    assert.deepEqual(await store.getInventory({ categoryId: -1 }), inventory, 'one without a name');
    assert.equal((await failureOf(store.getInventory({ categoryId: 1.5 }))).code, 'invalid_argument');
    await store.removeCategory(cats.id);
    assert.equal((await failureOf(store.getCategory(cats.id))).code, 'category_not_found');
    assert.equal((await failureOf(store.removeCategory(named.id))).code, 'category_in_use');
  });
});
