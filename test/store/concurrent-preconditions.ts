import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type NewPet, type Pet, petJson } from '../../src/contract/pet.ts';
import { entityTag, type Precondition } from '../../src/contract/precondition.ts';
import { listRemovedPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';
import { atOnce, countOutcomes, openTwoInstances } from '../support/service/two-instances.ts';

const CLIENTS = 40;
const ROUNDS = 3;
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };
const tagOf = (pet: Pet): string => entityTag(petJson(pet));
const names = ['Ada', 'Tom', 'Eve'];

/** Preconditions that hold whatever the other clients do, for the kind of database that `createUrl` makes. */
export function concurrentPreconditionsSuite(createUrl: (t: TestContext) => Promise<string>): void {
  describe('a precondition that concurrent changes do not violate', () => {
    /** What a client that changes the animal to one of `names` demands. */
    const preconditions: readonly [title: string, of: (pet: Pet) => Precondition][] = [
      ['If-Match: *', () => ({ ifMatch: '*' })],
      [
        'If-Match with the tag of each state that the animal can have',
        (pet) => ({ ifMatch: ['"other"', ...[pet.name, ...names].map((name) => tagOf({ ...pet, name }))] }),
      ],
      [
        'If-None-Match with tags that the animal never has',
        (pet) => ({ ifNoneMatch: ['"other"', tagOf({ ...pet, name: 'Bo' })] }),
      ],
      [
        'both of them',
        (pet) => ({
          ifMatch: '*',
          ifNoneMatch: [tagOf({ ...pet, name: 'Bo' }), `W/${tagOf({ ...pet, id: 0n })}`],
        }),
      ],
    ];
    for (const [title, preconditionOf] of preconditions)
      it(`never fails: ${title}`, async (t) => {
        const stores = await openTwoInstances(t, await createUrl(t));
        for (let round = 0; round < ROUNDS; round++) {
          const pet = petIn(await stores[0].createPet(rex));
          const precondition = preconditionOf(pet);
          const results = await atOnce(stores, CLIENTS, (store, i) =>
            store.updatePet(pet.id, { name: names[i % names.length] }, { precondition }),
          );
          assert.deepEqual(countOutcomes(results), { ok: CLIENTS });
        }
      });

    it('does not keep a removal from happening: If-Match: *', async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      for (let round = 0; round < ROUNDS; round++) {
        const pet = petIn(await stores[0].createPet(rex));
        const results = await atOnce(stores, CLIENTS, async (store, i) => {
          if (i === CLIENTS / 2) await store.removePet(pet.id, undefined, { precondition: { ifMatch: '*' } });
          else
            await store.updatePet(
              pet.id,
              { name: names[i % names.length] },
              { precondition: { ifMatch: '*' } },
            );
        });
        assert.equal(results[CLIENTS / 2]?.status, 'fulfilled');
        // Those that came later find no animal. Nothing else can be wrong with them.
        const { ok = 0, pet_not_found: tooLate = 0 } = countOutcomes(results);
        assert.equal(ok + tooLate, CLIENTS, JSON.stringify(countOutcomes(results)));
        assert.equal((await listRemovedPets(stores[1], { limit: 1 }))[0]?.id, pet.id);
      }
    });
  });

  describe('a precondition that a concurrent change violates', () => {
    it('lets exactly one client of both instances change or remove the animal', async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      for (let round = 0; round < ROUNDS; round++) {
        const pet = petIn(await stores[0].createPet(rex));
        const ifMatch = ['"other"', tagOf(pet)];
        const results = await atOnce<unknown>(stores, CLIENTS, (store, i) =>
          i % 10 === round
            ? store.removePet(pet.id, undefined, { precondition: { ifMatch } })
            : store.updatePet(pet.id, { name: `Rex ${i}` }, { precondition: { ifMatch } }),
        );
        // Once the animal is removed, there is nothing to compare the tag with.
        const refusal = (await stores[1].getPet(pet.id)) ? 'precondition_failed' : 'pet_not_found';
        assert.deepEqual(countOutcomes(results), { ok: 1, [refusal]: CLIENTS - 1 });
      }
    });
  });
}
