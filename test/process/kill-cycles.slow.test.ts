import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { LONG_RUN } from '../support/attacked-service.ts';
import { assertConsistent } from '../support/consistency.ts';
import { ordersIn, petsIn } from '../support/database.ts';
import { spawnService } from '../support/process.ts';
import { type Answer, call, temporaryFolder } from '../support/service.ts';
import { type ServiceWithWorkers, spawnWithWorkers } from '../support/workers.ts';

const CYCLES = LONG_RUN ? 100 : 3;
const CLIENTS = 12;
const RETRY_MS = 20;
/** Requests that are answered between two kills, at most. Counted, not timed: also a slow machine is under load. */
const MAX_ANSWERED = 60;

/** What all clients share: where the service is, and what is known of their requests. */
class Traffic {
  origin = '';
  over = false;
  failed = false;
  answered = 0;
  repeated = 0;
  replayed = 0;
  readonly names: string[] = [];
  readonly orders = new Map<number, Order['status']>();

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
      const answer = await call(this.origin, method, path, { body, headers }).catch(() => undefined);
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

describe(`kill -9, ${CYCLES} times at random instants, while clients order and repeat`, {
  timeout: 1_800_000,
}, () => {
  // kill.test.ts and order-kill.test.ts are the quick form.
  const itInLongRun = LONG_RUN ? it : () => {};

  itInLongRun('loses nothing that was acknowledged and does nothing twice: one process', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const start = () => spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    let service = await start();
    await cycles(file, t.diagnostic.bind(t), service.origin, async (traffic) => {
      service.child.kill('SIGKILL');
      await service.exited;
      service = await start();
      traffic.origin = service.origin;
    });
  });

  it('loses nothing that was acknowledged and does nothing twice: workers, the primary, or all of them', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const start = () => spawnWithWorkers(t, { DATABASE_URL: `sqlite:${file}` });
    let service: ServiceWithWorkers = await start();
    let cycle = 0;
    await cycles(file, t.diagnostic.bind(t), service.origin, async (traffic) => {
      const workers = service.workers();
      const primary = service.child.pid ?? 0;
      const victims = [[workers[0] ?? 0], [primary], [primary, ...workers]][cycle++ % 3] ?? [];
      for (const victim of victims) process.kill(victim, 'SIGKILL');
      if (!victims.includes(primary)) return;
      await service.exited;
      // Workers whose primary is gone still finish what they have accepted, on the same file.
      service = await start();
      traffic.origin = service.origin;
    });
  });
});

/** Kills and restarts under traffic; after every cycle and at the end, checks the file against what was acknowledged. */
async function cycles(
  file: string,
  report: (message: string) => void,
  origin: string,
  killAndRestart: (traffic: Traffic) => Promise<void>,
): Promise<void> {
  const traffic = new Traffic();
  traffic.origin = origin;
  const buying = Promise.all(Array.from({ length: CLIENTS }, (_, client) => traffic.buy(client)));
  try {
    for (let cycle = 1; cycle <= CYCLES; cycle++) {
      await Promise.race([traffic.progress(), buying]);
      await killAndRestart(traffic);
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
