import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { assertConsistent, assertCorrected } from '../support/database/consistency.ts';
import { assertStoreReplays } from '../support/events/replay.ts';
import { listOrders, listPets, listRemovedPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { assertShutsDown, type RunningService, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const CYCLES = LONG_RUN ? 100 : 3;
const CLIENTS = 32;
const RETRY_MS = 20;
/** Requests that are answered between two kills, at most. Counted, not timed: a slow machine is under load, too. */
const MAX_ANSWERED = 400;
/** Of one animal. */
const CHANGES = 8;
/** No other test has it: the port of a process that was killed may be that of another service before it is started again. */
const KEY = randomUUID();

/** Where the processes are, and what is known of the requests to them. */
class Traffic {
  readonly origins: string[];
  isOver = false;
  isGivenUp = false;
  answered = 0;
  unanswered = 0;
  replayed = 0;
  #sent = 0;

  constructor(origins: string[]) {
    this.origins = origins;
  }

  /** Repeats the request until it is answered, and asserts that it was done. */
  async insist(key: string, method: string, path: string, body?: object): Promise<unknown> {
    while (!this.isGivenUp) {
      // To each process in turn: a request is repeated to another one than before.
      const origin = this.origins[this.#sent++ % this.origins.length] ?? '';
      const options = { body, headers: { 'idempotency-key': key }, key: KEY };
      const answer = await call(origin, method, path, options).catch(() => undefined);
      // 401 is that of another test's service, which has got the port.
      if (answer && ![401, 503].includes(answer.status)) {
        this.answered++;
        if (answer.headers.get('idempotent-replayed') === 'true') this.replayed++;
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
      }
      this.unanswered++;
      await sleep(RETRY_MS);
    }
    throw new Error('given up');
  }
}

const ALL = { limit: 1_000_000 };

/** Each client creates an animal, reserves or sells it, and completes, corrects or cancels the order. */
function orders(traffic: Traffic) {
  const pets = new Map<number, string>();
  const placed = new Map<number, Order['status']>();
  const client = async (number: number) => {
    for (let n = 0; !traffic.isOver; n++) {
      const name = `${number}-${n}`;
      const pet = await traffic.insist(`pet-${name}`, 'POST', '/v1/pets', { name, categoryId: 1 });
      const petId = Number((pet as Pet).id);
      assert.ok(!pets.has(petId), `${petId} was the id of an animal that is lost`);
      pets.set(petId, name);
      const [first, ...others] = LIVES[n % LIVES.length] ?? [];
      const order = await traffic.insist(`order-${name}`, 'POST', '/v1/store/orders', {
        petId,
        status: first,
      });
      const id = Number((order as Order).id);
      placed.set(id, first as Order['status']);
      for (const [i, status] of others.entries()) {
        await traffic.insist(`${i}-${name}`, 'PATCH', `/v1/store/orders/${id}`, { status });
        placed.set(id, status);
      }
    }
  };
  return {
    client,
    /** After every kill. */
    assertFile: (file: string) => assertConsistent(file),
    async assertAcknowledged(store: Store) {
      const stored = (await listPets(store, ALL)).map(({ id, name }) => [Number(id), name] as const);
      assert.deepEqual(new Map(stored), pets, 'every animal once');
      const orders = (await listOrders(store, ALL)).map(({ id, status }) => [Number(id), status] as const);
      assert.deepEqual(new Map(orders), placed, 'every order once, as last acknowledged');
    },
  };
}

/** What an order is, one after the other. */
const LIVES: readonly (readonly Order['status'][])[] = [
  ['placed'],
  ['placed', 'completed'],
  ['completed', 'placed', 'cancelled'],
  ['completed', 'returned', 'completed', 'cancelled', 'placed'],
];

interface State {
  readonly name: string;
  readonly status: Pet['status'];
  readonly isRemoved: boolean;
}

/** Each client adds animals and changes, removes and restores each. */
function corrections(traffic: Traffic): ReturnType<typeof orders> {
  const animals = new Map<number, State>();
  const client = async (number: number) => {
    for (let n = 0; !traffic.isOver; n++) {
      const name = `${number}-${n}`;
      let state: State = { name, status: 'available', isRemoved: false };
      const added = await traffic.insist(name, 'POST', '/v1/pets', { name, categoryId: 1 });
      const id = Number((added as Pet).id);
      assert.ok(!animals.has(id), `${id} was the id of an animal that is lost`);
      animals.set(id, state);
      for (let n = 1; n <= CHANGES && !traffic.isOver; n++) {
        const [after, [method, path, body]] = changeOf(state, n);
        await traffic.insist(`${name}-${n}`, method, `/v1/pets/${id}${path}`, body);
        state = after;
        animals.set(id, state);
      }
    }
  };
  return {
    client,
    assertFile: assertCorrected,
    async assertAcknowledged(store) {
      const stateOf = ({ id, name, status }: Pet, isRemoved: boolean): [number, State] => [
        Number(id),
        { name, status, isRemoved },
      ];
      const states = [
        ...(await listPets(store, ALL)).map((pet) => stateOf(pet, false)),
        ...(await listRemovedPets(store, ALL)).map((pet) => stateOf(pet, true)),
      ];
      assert.deepEqual(new Map(states), animals);
    },
  };
}

/** The state after a change, and its request. */
function changeOf(
  { name, status, isRemoved }: State,
  n: number,
): [State, [method: string, path: string, body?: object]] {
  if (isRemoved) return [{ name, status, isRemoved: false }, ['POST', '/restore']];
  if (n % 3 === 0) return [{ name, status, isRemoved: true }, ['DELETE', '']];
  const update = { name: `${name}+`, status: (['pending', 'sold', 'available'] as const)[n % 4] ?? status };
  return [{ ...update, isRemoved: false }, ['PATCH', '', update]];
}

const ONE = [[0]];
const TWO = [[0], [1], [0, 1]];

/** What the clients do, the kind of store, and which of its processes are killed, one cycle after the other. */
type Scenario = [
  what: string,
  workOf: typeof orders,
  store: (typeof bothStores)[number],
  victims: number[][],
];
const [sqlite, postgres] = bothStores;
const scenarios: readonly Scenario[] = [
  ['orders, one or both of two processes', orders, sqlite, TWO],
  ['changes, removals and restores, one or both of two processes', corrections, sqlite, TWO],
  ['orders, one or both of two processes on PostgreSQL', orders, postgres, TWO],
  ...(LONG_RUN ? [['orders, the only process', orders, sqlite, ONE] satisfies Scenario] : []),
];

describe(`kill -9, ${CYCLES} times at random instants, under load`, { timeout: 1_800_000 }, () => {
  for (const [what, workOf, [kind, newDatabase], victims] of scenarios)
    it(`loses nothing that was acknowledged, does nothing twice and nothing by half: ${what}`, async (t) => {
      const DATABASE_URL = await newDatabase(t);
      const start = () => spawnService(t, { DATABASE_URL, API_KEYS: KEY });
      const services = await Promise.all(new Set(victims.flat()).values().map(start));
      const traffic = new Traffic(services.map(({ origin }) => origin));
      const { client, assertFile, assertAcknowledged } = workOf(traffic);
      const assertWhole = async () => {
        if (kind === 'sqlite') assertFile(DATABASE_URL.slice('sqlite:'.length));
        else assert.deepEqual((await inspectStore(DATABASE_URL)).problems, []);
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
      t.after(() => {
        traffic.isOver = traffic.isGivenUp = true;
      });
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const enough = traffic.answered + 1 + Math.random() * MAX_ANSWERED;
        while (traffic.answered < enough) await Promise.race([sleep(1), clients]);
        const killed = victims[cycle % victims.length] ?? [];
        for (const n of killed) services[n]?.child.kill('SIGKILL');
        for (const n of killed) {
          assert.equal(await services[n]?.exited, 'SIGKILL');
          const service: RunningService = await start();
          services[n] = service;
          traffic.origins[n] = service.origin;
        }
        await assertWhole();
      }
      traffic.isOver = true;
      await clients;
      for (const service of services) await assertShutsDown(service);
      await assertWhole();
      const store = await openStore(DATABASE_URL);
      t.after(() => store.close());
      await assertAcknowledged(store);
      await assertStoreReplays(store);
      const { answered, unanswered, replayed } = traffic;
      t.diagnostic(
        `${CYCLES} kills: ${answered} requests answered, ${unanswered} not; ${replayed} of the repeated ones had taken effect before`,
      );
    });
});
