import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { categoryNameJson } from '../../src/contract/category.ts';
import { ApiError } from '../../src/contract/errors.ts';
import type { Author } from '../../src/contract/event.ts';
import { type EventPosition, isAfter } from '../../src/contract/event-id.ts';
import { OrderStatus, orderJson } from '../../src/contract/order.ts';
import { listedPetJson, type PetStatus, petJson } from '../../src/contract/pet.ts';
import {
  type Result,
  type Store,
  type StoredEvent,
  StoreUnavailableError,
  type WriteOptions,
} from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { type ImportedPet, RowsRefused } from '../../src/store/tools/pet-transfer.ts';
import { assertReplays } from '../support/events/replay.ts';
import { eventually } from '../support/eventually.ts';
import { listCategories, listOrders, listPets, listRemovedPets } from '../support/lists.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { openTwoInstances } from '../support/service/two-instances.ts';

const PETS = 4;
const CLIENTS = 12;
const IMPORTERS = 2;
const WRITES = 1500;
/** How many of them go through each instance, and how many imports succeed, at least. */
const WRITES_PER_INSTANCE = WRITES / 4;
const IMPORTS = 20;
/** A store that refuses nearly everything fails here instead of running for ever. */
const MAX_ATTEMPTS = 40 * WRITES;
/** How many writes of the clients an import waits for between two of its batches. */
const WRITES_PER_BATCH = 5;
const ALL = { limit: 100_000 };
const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Numbers from 0 to below `end` that look random and are the same in each run. */
function randomNumbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** What has been written, and whether more will be. */
interface Progress {
  writes: number;
  isOver: boolean;
}

/** A refusal is part of the scenario. After `unavailable`, the store may or may not have made the change: both are fine here. */
function assertExpected(error: unknown): void {
  const isExpected =
    error instanceof ApiError
      ? error.status !== 500
      : error instanceof RowsRefused || error instanceof StoreUnavailableError;
  if (!isExpected) throw error;
}

/** The order of events while many clients change few animals, for the kind of database that `createUrl` makes. */
export function eventOrderSuite(createUrl: (t: TestContext) => Promise<string>): void {
  describe('events of animals and orders that many clients of two instances and imports change at once', () => {
    it('are in the order of the changes: each continues what the one before left, and a replay ends in what is stored', async (t) => {
      const url = await createUrl(t);
      const stores = await openTwoInstances(t, url);
      const [store] = stores;
      const pets: bigint[] = [];
      for (let i = 0; i < PETS; i++)
        pets.push(petIn(await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' })).id);
      const progress: Progress = { writes: 0, isOver: false };
      const writes: [number, number] = [0, 0];
      let imports = 0;
      let attempts = 0;
      const isEnough = () =>
        progress.writes >= WRITES && Math.min(...writes) >= WRITES_PER_INSTANCE && imports >= IMPORTS;
      /** The latest orders, of all clients. */
      let orders: bigint[] = [];

      const client = async (number: number) => {
        const instance = number % 2 === 0 ? 0 : 1;
        const by: Author = { keyId: String(instance), keyName: `Client ${number}` };
        const random = randomNumbers(number + 1);
        for (let step = 0; !isEnough(); step++) {
          assert.ok(attempts++ < MAX_ATTEMPTS, `${writes} writes and ${imports} imports`);
          const id = pets[random(PETS)] as bigint;
          const orderId = orders[random(orders.length)] ?? 0n;
          const change = anyChange(id, orderId, random, `${number}-${step}`);
          const idempotencyKey = { owner: '1', key: `${number}-${step}`, fingerprint: 'f' };
          const options = random(2) === 0 ? { by } : { by, idempotencyKey };
          const write = async () => {
            const result = await change(stores[instance], options);
            if (result.json.includes('"petId"'))
              orders = [...new Set([orderIn(result).id, ...orders])].slice(0, 2 * PETS);
            // As a client does that has lost the answer, perhaps at the other instance.
            if (options.idempotencyKey) {
              const again = await change(stores[random(2) as 0 | 1], options);
              assert.deepEqual(again, { ...result, replayed: true });
            }
          };
          await write().then(() => {
            writes[instance]++;
            progress.writes++;
          }, assertExpected);
        }
      };
      const importer = async (number: number) => {
        const random = randomNumbers(1000 + number);
        while (!progress.isOver) {
          const run = importPets(url, slowRows(pets, progress, random, `${number}-${imports}`), {
            update: true,
          });
          await run.then(() => imports++, assertExpected);
        }
      };
      const importers = Array.from({ length: IMPORTERS }, (_, i) => importer(i));
      try {
        await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
      } finally {
        progress.isOver = true;
        await Promise.all(importers);
      }

      const events = await allEvents(store);
      for (const [i, { position }] of events.entries())
        assert.ok(
          i === 0 || isAfter(position, events[i - 1]?.position),
          `event ${i} is after the one before`,
        );
      assertReplays(
        events.map(({ type, json }) => ({ type, content: json })),
        {
          pets: (await listPets(store, ALL)).map(petJson),
          removed: (await listRemovedPets(store, ALL)).map(listedPetJson),
          orders: (await listOrders(store, ALL)).map(orderJson),
          categories: (await listCategories(store, ALL)).map(categoryNameJson),
        },
      );
      await assertCounts(store);
      // Otherwise nothing was tested. A write that changes nothing has no event.
      const authors = events.map(({ json }) => (JSON.parse(json) as { keyId: string | null }).keyId);
      for (const [keyId, least] of [
        ['0', WRITES_PER_INSTANCE / 2],
        ['1', WRITES_PER_INSTANCE / 2],
        [null, PETS + IMPORTS],
      ] as const) {
        const count = authors.filter((author) => author === keyId).length;
        assert.ok(count >= least, `${count} events by ${keyId}`);
      }
      const types = new Set(events.map(({ type }) => type));
      for (const type of EXPECTED_TYPES) assert.ok(types.has(type), `no ${type}`);
    });
  });
}

/** Two instances and imports have changed the same few animals: the counts of their categories agree with the animals. */
async function assertCounts(store: Store): Promise<void> {
  const byCategory = Map.groupBy(await listPets(store, ALL), ({ categoryId }) => categoryId);
  for (const [categoryId, pets] of byCategory) {
    const counts = { available: 0n, pending: 0n, sold: 0n };
    for (const { status } of pets) counts[status]++;
    assert.deepEqual(await store.countPets(categoryId), counts, `category ${categoryId}`);
  }
}

const EXPECTED_TYPES = [
  'pet.created',
  'pet.updated',
  'pet.removed',
  'pet.restored',
  'order.placed',
  'order.completed',
  'order.cancelled',
  'order.returned',
  'order.updated',
] as const;

type Change = (store: Store, options: WriteOptions) => Promise<Result>;

/** One of the ways to change an animal or one of its orders. */
function anyChange(petId: bigint, orderId: bigint, random: (end: number) => number, unique: string): Change {
  const categoryId = BigInt(random(1000));
  const [status, orderStatus] = [STATUSES[random(3)], OrderStatus.pipe[0].options[random(4)]];
  const way = random(22);
  if (way < 5) return (store, options) => store.updatePet(petId, { name: unique }, options);
  if (way < 7) return (store, options) => store.updatePet(petId, { categoryId }, options);
  if (way < 8) return (store, options) => store.updatePet(petId, { status }, options);
  if (way < 10) return (store, options) => store.createOrder({ petId }, options);
  if (way < 12) return (store, options) => store.createOrder({ petId, status: 'completed' }, options);
  if (way < 18) return (store, options) => store.updateOrder(orderId, { status: orderStatus }, options);
  if (way < 20) return (store, options) => store.updateOrder(orderId, { note: unique }, options);
  // One of the two is possible: an animal that stays away tests nothing.
  return (store, options) =>
    store.removePet(petId, unique, options).catch((error: unknown) => {
      assertExpected(error);
      return store.restorePet(petId, options);
    });
}

/** Rows for most of the animals, each in a batch of its own, while the clients go on. */
async function* slowRows(
  pets: readonly bigint[],
  progress: Progress,
  random: (end: number) => number,
  name: string,
): AsyncGenerator<ImportedPet[]> {
  // An import in another order than that of the ids must not deadlock with one in theirs.
  const inOrder = random(2) === 0 ? pets : pets.toReversed();
  for (const id of inOrder) {
    if (random(3) === 0) continue;
    // A status would often be refused, and with it the whole import.
    const status = random(20) === 0 ? { status: STATUSES[random(3)] } : {};
    yield [{ id, name, ...status, line: 2 }];
    const enough = progress.writes + WRITES_PER_BATCH;
    while (progress.writes < enough && !progress.isOver) await sleep(1);
  }
}

/** All events by pages. On PostgreSQL a transaction of another test can delay the last ones for a moment. */
async function allEvents(store: Store): Promise<StoredEvent[]> {
  const marker = petIn(await store.createPet({ name: 'Last', categoryId: 1n, status: 'sold' }));
  const events: StoredEvent[] = [];
  await eventually(async () => {
    for (let isDone = false; !isDone; ) {
      const after: EventPosition | undefined = events.at(-1)?.position;
      const page = await store.listEvents({ limit: 100, after });
      events.push(...page.events);
      isDone = !page.next;
    }
    return events.at(-1)?.petId === marker.id;
  }, 'the event of the last change');
  return events;
}
