import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { assertConsistent } from '../support/database/consistency.ts';
import { ordersIn, petsIn } from '../support/database/database.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { spawnService } from '../support/service/process.ts';
import { type Answer, call, temporaryFolder } from '../support/service/service.ts';

const CYCLES = LONG_RUN ? 100 : 3;
const CLIENTS = 12;
const RETRY_MS = 20;
/** Requests that are answered between two kills, at most. Counted, not timed: also a slow machine is under load. */
const MAX_ANSWERED = 60;

/** What all clients share: where the processes are, and what is known of the requests to them. */
class Traffic {
  readonly origins: string[];
  over = false;
  failed = false;
  answered = 0;
  repeated = 0;
  replayed = 0;
  readonly names: string[] = [];
  readonly orders = new Map<number, Order['status']>();
  #sent = 0;

  constructor(origins: string[]) {
    this.origins = origins;
  }

  /** Creates an animal, orders it, and completes or cancels the order; repeats each request until it is answered. */
  async buy(client: number): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const name = `animal-${n}-of-client-${client}`;
      this.names.push(name);
      const pet = await this.#send('POST', '/v1/pets', { name, categoryId: 1 }, `pet-${name}`);
      assert.equal(pet.status, 201, pet.text);
      const placed = await this.#send(
        'POST',
        '/v1/store/orders',
        { petId: Number((pet.json as Pet).id) },
        `order-${name}`,
      );
      // Without its Idempotency-Key, a repeated order would find that the animal is no longer available.
      assert.equal(placed.status, 201, placed.text);
      const id = Number((placed.json as Order).id);
      this.orders.set(id, 'placed');
      const status = (['completed', 'cancelled'] as const)[n % 3];
      if (status === undefined) continue;
      const closed = await this.#send('PATCH', `/v1/store/orders/${id}`, { status });
      // 409 if the request before the kill took effect.
      assert.ok([200, 409].includes(closed.status), closed.text);
      this.orders.set(id, status);
    }
  }

  async #send(method: string, path: string, body: unknown, key?: string): Promise<Answer> {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    while (!this.failed) {
      // To each process in turn: a request is repeated to another one than before.
      const origin = this.origins[this.#sent++ % this.origins.length] ?? '';
      const answer = await call(origin, method, path, { body, headers }).catch(() => undefined);
      if (answer && answer.status !== 503) {
        this.answered++;
        if (answer.headers.get('idempotent-replayed') === 'true') this.replayed++;
        return answer;
      }
      this.repeated++;
      await sleep(RETRY_MS);
    }
    throw new Error('given up');
  }

  /** Resolves after a random number of further answers. */
  async progress(): Promise<void> {
    const enough = this.answered + 1 + Math.random() * MAX_ANSWERED;
    while (this.answered < enough && !this.failed) await sleep(1);
  }
}

/** Which of the processes on the file are killed, one cycle after the other. */
const victims: Readonly<Record<string, readonly (readonly number[])[]>> = {
  // kill.test.ts and order-kill.test.ts are the quick form.
  ...(LONG_RUN && { 'the only process': [[0]] }),
  'one or both of two processes': [[0], [1], [0, 1]],
};

describe(`kill -9, ${CYCLES} times at random instants, while clients order and repeat`, {
  timeout: 1_800_000,
}, () => {
  for (const [what, plan] of Object.entries(victims))
    it(`loses nothing that was acknowledged and does nothing twice: ${what}`, async (t) => {
      const file = join(await temporaryFolder(t), 'pets.db');
      const start = () => spawnService(t, { DATABASE_URL: `sqlite:${file}` });
      const services = await Promise.all(new Set(plan.flat()).values().map(start));
      const traffic = new Traffic(services.map(({ origin }) => origin));
      await cycles(file, traffic, t.diagnostic.bind(t), async (cycle) => {
        const killed = plan[cycle % plan.length] ?? [];
        for (const n of killed) services[n]?.child.kill('SIGKILL');
        for (const n of killed) {
          await services[n]?.exited;
          const service = await start();
          services[n] = service;
          traffic.origins[n] = service.origin;
        }
      });
    });
});

/** Kills and restarts under traffic; after every cycle and at the end, checks the file against what was acknowledged. */
async function cycles(
  file: string,
  traffic: Traffic,
  report: (message: string) => void,
  killAndRestart: (cycle: number) => Promise<void>,
): Promise<void> {
  const buying = Promise.all(Array.from({ length: CLIENTS }, (_, client) => traffic.buy(client)));
  try {
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await Promise.race([traffic.progress(), buying]);
      await killAndRestart(cycle);
      assertConsistent(file);
    }
    traffic.over = true;
    await buying;
  } catch (error) {
    traffic.failed = true;
    throw error;
  }
  assertConsistent(file);
  const { names, orders, answered, repeated, replayed } = traffic;
  report(
    `${CYCLES} cycles: ${names.length} animals, ${orders.size} orders, ${answered} requests answered; ` +
      `${repeated} repeated because of a kill, ${replayed} of them had taken effect before`,
  );
  assert.deepEqual(
    petsIn(file)
      .map(({ name }) => name)
      .sort(),
    names.sort(),
    'every animal once',
  );
  assert.deepEqual(
    [...ordersIn(file)].sort(byId),
    [...orders].sort(byId),
    'every order once, as last acknowledged',
  );
}

const byId = ([a]: [number, string], [b]: [number, string]): number => a - b;
