import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'valibot';
import type { ApiError } from '../../../src/contract/errors.ts';
import { Event } from '../../../src/contract/event.ts';
import { INT64_MAX } from '../../../src/contract/int64.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { type ListedPet, type NewPet, type Pet, petJson } from '../../../src/contract/pet.ts';
import { entityTag, type Precondition } from '../../../src/contract/precondition.ts';
import type { Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { storedEvents } from '../../support/events/events.ts';
import { listOrders, listPets, listRemovedPets } from '../../support/lists.ts';
import { orderIn, petIn, petsIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };
const add = async (store: Store, pet: Partial<NewPet> = {}): Promise<Pet> =>
  petIn(await store.createPet({ ...rex, ...pet }));
const ifMatch = (...pets: Pet[]): Precondition => ({ ifMatch: pets.map((pet) => entityTag(petJson(pet))) });
const codes = (results: readonly PromiseSettledResult<unknown>[]): string[] =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as ApiError).code)).sort();

export function corrections(open: Open): void {
  describe('changes an animal', () => {
    it('in the given fields only, in every list, search and count', async (t) => {
      const { store } = await open(t);
      const pet = await add(store);
      assert.deepEqual(petIn(await store.updatePet(pet.id, {})), pet);
      const renamed = { ...pet, name: 'Ümit' };
      assert.deepEqual(petIn(await store.updatePet(pet.id, { name: 'Ümit' })), renamed);
      const changed = { ...renamed, categoryId: INT64_MAX, status: 'sold' } as const;
      assert.deepEqual(
        petIn(await store.updatePet(pet.id, { categoryId: INT64_MAX, status: 'sold' })),
        changed,
      );
      assert.deepEqual(await store.getPet(pet.id), changed);
      assert.deepEqual(await listPets(store, { limit: 9, status: 'sold', name: 'üm' }), [changed]);
      assert.deepEqual(await listPets(store, { limit: 9, name: 're' }), []);
      assert.deepEqual(await store.countPets(), { available: 0n, pending: 0n, sold: 1n });
      await rejects(store.updatePet(INT64_MAX, { name: 'x' }), 'pet_not_found');
    });

    it('or sells it: no correction makes an animal available while its order is completed', async (t) => {
      const { store } = await open(t);
      for (let round = 0; round < 20; round++) {
        const { id } = await add(store);
        const order = orderIn(await store.createOrder({ petId: id }));
        const [sale, ...others] = await Promise.allSettled([
          store.updateOrder(order.id, { status: 'completed' }),
          ...Array.from({ length: 5 }, () => store.updatePet(id, { status: 'available' })),
          ...Array.from({ length: 5 }, () => store.createOrder({ petId: id })),
        ]);
        assert.equal(sale.status, 'fulfilled');
        const refusals = ['pet_has_open_order', 'pet_sold_by_order', 'pet_not_available'];
        for (const code of codes(others)) assert.ok(refusals.includes(code), code);
        assert.equal((await store.getPet(id))?.status, 'sold');
        assert.equal((await listOrders(store, { limit: 9, petIds: [id] })).length, 1);
      }
    });

    it('only if it is as the precondition demands', async (t) => {
      const { store } = await open(t);
      const pet = await add(store);
      const renamed = petIn(await store.updatePet(pet.id, { name: 'Ada' }, { precondition: ifMatch(pet) }));
      const rename = (id: bigint, precondition: Precondition) =>
        store.updatePet(id, { name: 'Tom' }, { precondition });
      await rejects(rename(pet.id, ifMatch(pet)), 'precondition_failed');
      await rejects(rename(pet.id, { ifNoneMatch: '*' }), 'precondition_failed');
      await rejects(rename(INT64_MAX, { ifMatch: '*' }), 'pet_not_found');
      const removal = store.removePet(pet.id, undefined, { precondition: ifMatch(pet) });
      await rejects(removal, 'precondition_failed');
      await store.updatePet(pet.id, {}, { precondition: ifMatch(pet, renamed) });
    });
  });

  describe('removes an animal', () => {
    it('from every read at once, and restores it as it was', async (t) => {
      const { store } = await open(t);
      const [kept, pet] = [
        await add(store, { name: 'Ada' }),
        await add(store, { name: 'Rexona', status: 'sold' }),
      ];
      await store.removePet(pet.id, 'died of "old age"');
      assert.equal(await store.getPet(pet.id), undefined);
      assert.deepEqual(await listPets(store, { limit: 9 }), [kept]);
      assert.deepEqual(await listPets(store, { limit: 9, name: 're' }), []);
      assert.deepEqual(await listPets(store, { limit: 9, ids: [kept.id, pet.id] }), [kept]);
      assert.deepEqual(await store.countPets(), { available: 1n, pending: 0n, sold: 0n });
      await rejects(store.removePet(pet.id), 'pet_not_found');
      await rejects(store.updatePet(pet.id, {}), 'pet_not_found');
      await rejects(store.createOrder({ petId: pet.id }), 'pet_not_found');
      const [removed] = await listRemovedPets(store, { limit: 9 });
      const { removedAt, ...animal } = removed as ListedPet;
      assert.deepEqual(animal, { ...pet, reason: 'died of "old age"' });
      const [event] = (await storedEvents(store, 3)).slice(-1);
      const recorded = parse(Event, parseJson(event?.json ?? ''));
      assert.equal(recorded.type, 'pet.removed');
      assert.deepEqual(recorded.pet, removed);
      assert.ok(Math.abs(Date.parse(removedAt ?? '') - Date.parse(recorded.at)) < 60_000, `${removedAt}`);
      assert.deepEqual(petIn(await store.restorePet(pet.id)), pet);
      assert.deepEqual(await store.getPet(pet.id), pet);
      assert.deepEqual(await listPets(store, { limit: 9, name: 'REXO', status: 'sold' }), [pet]);
      assert.deepEqual(await store.countPets(), { available: 1n, pending: 0n, sold: 1n });
      assert.deepEqual(await listRemovedPets(store, { limit: 9 }), []);
      await rejects(store.restorePet(pet.id), 'pet_not_removed');
      // The reason is gone with the removal.
      await store.removePet(pet.id);
      assert.equal((await listRemovedPets(store, { limit: 9 }))[0]?.reason, undefined);
      // In one batch.
      await Promise.all([store.restorePet(pet.id), store.removePet(pet.id, 'sold')]);
      assert.equal((await listRemovedPets(store, { limit: 9 }))[0]?.reason, 'sold');
      await store.restorePet(pet.id);
      await rejects(store.restorePet(INT64_MAX), 'pet_not_found');
    });

    it('or orders it, never both', async (t) => {
      const { store } = await open(t);
      for (let round = 0; round < 20; round++) {
        const { id } = await add(store);
        const results = await Promise.allSettled([store.removePet(id), store.createOrder({ petId: id })]);
        const isOrdered = results[1].status === 'fulfilled';
        assert.deepEqual(codes(results), ['ok', isOrdered ? 'pet_has_open_order' : 'pet_not_found']);
        assert.equal((await store.getPet(id))?.status, isOrdered ? 'pending' : undefined);
      }
    });
  });

  describe('adds several animals', () => {
    it('in their order', async (t) => {
      const { store } = await open(t);
      const pets = Array.from({ length: 100 }, (_, i) => ({ ...rex, name: `Rex ${i}` }));
      const created = petsIn(await store.createPets(pets));
      assert.deepEqual(
        created.map(({ name }) => name),
        pets.map(({ name }) => name),
      );
      assert.deepEqual(await listPets(store, { limit: 1000 }), created.toReversed());
      assert.deepEqual(
        (await storedEvents(store, 100)).map(({ petId }) => petId),
        created.map(({ id }) => id),
      );
      assert.deepEqual(await store.countPets(), { available: 100n, pending: 0n, sold: 0n });
    });
  });
}
