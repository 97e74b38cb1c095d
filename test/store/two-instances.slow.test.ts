import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError } from '../../src/contract/errors.ts';
import { type NewPet, type Pet, petJson } from '../../src/contract/pet.ts';
import { entityTag, type Precondition } from '../../src/contract/precondition.ts';
import { openStore } from '../../src/store/open.ts';
import { type Store, type StoredEvent, StoreUnavailableError } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { RowsRefused } from '../../src/store/tools/pet-transfer.ts';
import { rejects } from '../support/assert.ts';
import { withMigrations } from '../support/database/added-migrations.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { storedEvents } from '../support/events/events.ts';
import { assertStoreReplays } from '../support/events/replay.ts';
import { listPets } from '../support/lists.ts';
import { orderIn, petIn, petsIn } from '../support/service/created.ts';
import { atOnce, countOutcomes, openTwoInstances } from '../support/service/two-instances.ts';

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };
const tagOf = (pet: Pet): string => entityTag(petJson(pet));

for (const [kind, createUrl] of bothStores)
  describe(`Two instances on one database, ${kind}`, () => {
    changesAtOnce(createUrl);

    it('a reader gets the event of each change once, in the order of the changes, beside imports', (t) =>
      testEventOrder(t, createUrl));

    it('two versions both read and write before, while and after the newer one upgrades the database; one that is newer still ends that', (t) =>
      testVersions(t, kind, createUrl));
  });

type CreateUrl = (t: TestContext) => Promise<string>;

function changesAtOnce(createUrl: CreateUrl): void {
  const CLIENTS = 40;
  const names = ['Ada', 'Tom', 'Eve'];
  /** What a client that changes the animal to one of `names` demands. */
  const alwaysTrue: Readonly<Record<string, (pet: Pet) => Precondition>> = {
    'If-Match: * and If-None-Match with tags that the animal never has': (pet) => ({
      ifMatch: '*',
      ifNoneMatch: [tagOf({ ...pet, name: 'Bo' }), `W/${tagOf({ ...pet, id: 0n })}`],
    }),
    'If-Match with the tag of each state that the animal can have': (pet) => ({
      ifMatch: ['"other"', ...[pet.name, ...names].map((name) => tagOf({ ...pet, name }))],
    }),
  };
  for (const [what, preconditionOf] of Object.entries(alwaysTrue))
    it(`a precondition that stays true never fails: ${what}`, async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      const pet = petIn(await stores[0].createPet(rex));
      const precondition = preconditionOf(pet);
      const results = await atOnce(stores, 3 * CLIENTS, (store, i) =>
        store.updatePet(pet.id, { name: names[i % 3] }, { precondition }),
      );
      assert.deepEqual(countOutcomes(results), { ok: 3 * CLIENTS });
    });

  it('of many clients that complete or cancel an order, one succeeds', async (t) => {
    const stores = await openTwoInstances(t, await createUrl(t));
    for (let round = 0; round < 10; round++) {
      const { id: petId } = petIn(await stores[0].createPet(rex));
      const { id } = orderIn(await stores[0].createOrder({ petId }));
      const results = await atOnce(stores, CLIENTS, (store, i) =>
        store.updateOrder(id, { status: i % 4 < 2 ? 'completed' : 'cancelled', from: 'placed' }),
      );
      assert.deepEqual(countOutcomes(results), { ok: 1, order_closed: CLIENTS - 1 });
      const { events } = await stores[1].listEvents({ limit: 9, petId });
      assert.equal(events.length, 3);
    }
  });

  it('of many clients with the same If-Match, one changes or removes the animal', async (t) => {
    const stores = await openTwoInstances(t, await createUrl(t));
    for (let round = 0; round < 3; round++) {
      const pet = petIn(await stores[0].createPet(rex));
      const options = { precondition: { ifMatch: ['"other"', tagOf(pet)] } };
      const results = await atOnce<unknown>(stores, CLIENTS, (store, i) =>
        i % 10 === round
          ? store.removePet(pet.id, undefined, options)
          : store.updatePet(pet.id, { name: `Rex ${i}` }, options),
      );
      // Once the animal is removed, there is nothing to compare the tag with.
      const refusal = (await stores[1].getPet(pet.id)) ? 'precondition_failed' : 'pet_not_found';
      assert.deepEqual(countOutcomes(results), { ok: 1, [refusal]: CLIENTS - 1 });
    }
  });
}

/** A refusal is part of the scenario. After `unavailable`, the store may or may not have made the change: both are fine here. */
function tolerate(error: unknown): void {
  const isRefusal = error instanceof ApiError && error.status !== 500;
  if (!isRefusal && !(error instanceof RowsRefused || error instanceof StoreUnavailableError)) throw error;
}

async function testEventOrder(t: TestContext, createUrl: CreateUrl): Promise<void> {
  const [CLIENTS, STEPS] = [12, 50];
  const url = await createUrl(t);
  const stores = await openTwoInstances(t, url);
  const [store, other] = stores;
  const ids = petsIn(await store.createPets([rex, rex, rex, rex])).map(({ id }) => id);
  const sell = async (petId: bigint) => {
    const { id } = orderIn(await store.createOrder({ petId, status: 'completed' }));
    await other.updateOrder(id, { status: 'cancelled', note: 'Ms Lee' });
  };
  const importAll = (name: string) => {
    const batches = async function* () {
      yield ids.map((id, i) => ({ id, name, line: i + 2 }));
      yield [{ ...rex, line: 9 }];
    };
    return importPets(url, batches(), { update: true });
  };
  let isOver = false;
  const events: StoredEvent[] = [];
  const read = async () => {
    for (let wasOver = false; ; wasOver = isOver) {
      const page = await other.listEvents({ limit: 9, after: events.at(-1)?.position });
      events.push(...page.events);
      if (wasOver && page.events.length === 0) return;
      await nextTick();
    }
  };
  const client = async (number: number) => {
    const by = { keyId: `${number % 2}`, keyName: 'till' };
    for (let step = 0; step < STEPS; step++) {
      const [unique, id] = [`${number}-${step}`, ids[(number + step) % ids.length] ?? 0n];
      const mine = stores[number % 2] ?? store;
      if (number === 0 && step % 5 === 0) await importAll(unique).catch(tolerate);
      else if (step % 4 === 1) await sell(id).catch(tolerate);
      else if (step % 4 === 2)
        await mine
          .removePet(id, unique, { by })
          .then(() => other.restorePet(id), tolerate)
          .catch(tolerate);
      else await mine.updatePet(id, { name: unique, categoryId: BigInt(step) }, { by }).catch(tolerate);
    }
  };
  const reading = read();
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  await Promise.all(clients).finally(() => (isOver = true));
  await reading;
  assert.deepEqual(
    events.map(({ position }) => position.id),
    events.map((_, i) => BigInt(i + 1)),
    'no event is missing or out of order',
  );
  await assertStoreReplays(store, events);
  assert.deepEqual((await inspectStore(url)).problems, []);
  // Otherwise nothing was tested.
  const seen = new Set(events.map(({ type, json }) => `${type} ${JSON.parse(json).keyId ?? ''}`));
  for (const one of [
    'pet.updated 0',
    'pet.updated 1',
    'pet.updated ',
    'pets.imported ',
    'pet.restored ',
    'order.cancelled ',
  ])
    assert.ok(seen.has(one), `${one} of ${[...seen]}`);
}

async function testVersions(
  t: TestContext,
  kind: 'sqlite' | 'postgres',
  createUrl: CreateUrl,
): Promise<void> {
  const CREATES = 200;
  const url = await createUrl(t);
  const open = async (...added: string[]): Promise<Store> => {
    const { folder } = await withMigrations(t, kind, ...added);
    const store = await openStore(url, { upgrade: true, ...(added.length > 0 && { folder }) });
    t.after(() => store.close());
    return store;
  };
  const old = await open();
  const { id } = petIn(await old.createPet(rex));
  const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };
  const writes = (async () => {
    for (let i = 0; i < CREATES; i++) await old.createPet({ ...rex, name: `${i}` });
  })();
  const next = await open('ALTER TABLE pets ADD COLUMN price integer');
  await writes;
  const again = await open();
  for (const [i, store] of [old, next, again].entries()) {
    const renamed = await store.updatePet(id, { name: 'Tom' }, { idempotencyKey });
    assert.equal(renamed.replayed, i > 0);
    await store.removePet(id, 'died');
    await store.restorePet(id);
    await store.ready();
  }
  assert.equal((await listPets(next, { limit: 1000 })).length, CREATES + 1);
  assert.deepEqual((await inspectStore(url)).problems, []);
  assert.equal((await storedEvents(old, CREATES + 8)).length, CREATES + 8);
  // Only the migrations are those of a newer version: what opens the database here is this one, which may not write any more.
  await open('ALTER TABLE pets ADD COLUMN price integer', 'CREATE TABLE added (n integer)').catch(() => {});
  await rejects(old.createPet(rex), 'unavailable');
  await assert.rejects(open(), /was created by a newer version of this program/);
}
