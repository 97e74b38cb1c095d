import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { petsIn } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { clientOf } from './support/client.ts';

const CLIENTS = 24;
const KILLS = 3;

/** How many rows of `table` match, whatever the service says about it. */
function count(file: string, table: string, condition: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`).get()?.n);
  } finally {
    db.close();
  }
}

describe('A service that is killed with SIGKILL and restarted', { timeout: 300_000 }, () => {
  it('has done everything that the clients asked for exactly once', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const env = { DATABASE_URL: `sqlite:${file}`, PORT: `${await freePort()}` };
    const first = await spawnService(t, env);
    let service = first;
    const restart = async () => {
      service.child.kill('SIGKILL');
      await service.exited;
      service = await spawnService(t, env);
    };

    const done: { id: bigint; name: string }[] = [];
    let orders = 0;
    let running = true;
    const failures: unknown[] = [];
    const work = async (client: number) => {
      const store = clientOf(`${first.origin}/v1`);
      for (let n = 0; running; n++) {
        const { id, name } = await store.createPet({ name: `${client}-${n}`, categoryId: client });
        done.push({ id, name });
        for (const status of ['pending', 'available'] as const) await store.updatePet(id, { status });
        const order = await store.createOrder({ petId: id });
        await store.updateOrder(order.id, { status: n % 2 === 0 ? 'completed' : 'cancelled' });
        orders++;
      }
    };
    const working = Array.from({ length: CLIENTS }, (_, client) =>
      work(client).catch((error) => failures.push(error)),
    );

    for (let kill = 0; kill < KILLS; kill++) {
      // By number, not by time: the service dies under load however slow the machine is.
      const enough = done.length + 60;
      while (done.length < enough && failures.length === 0) await sleep(2);
      await restart();
    }
    const last = done.length;
    while (done.length < last + CLIENTS && failures.length === 0) await sleep(2);
    running = false;
    await Promise.all(working);

    assert.deepEqual(failures, []);
    const stored = petsIn(file).map(({ id, name }) => `${id} ${name}`);
    assert.deepEqual(stored.sort(), done.map(({ id, name }) => `${id} ${name}`).sort());
    assert.equal(count(file, 'orders', 'true'), orders);
    assert.equal(count(file, 'orders', "status = 'placed'"), 0);
    assert.equal(count(file, 'events', "type = 'pet.updated'"), 2 * orders);
    t.diagnostic(`${done.length} animals and orders over ${KILLS} kills`);
  });
});

describe('A store that is locked for a while', { timeout: 120_000 }, () => {
  it('makes the service answer 503, which the client outlasts', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const store = clientOf(`${service.origin}/v1`);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const creating = Promise.all([1, 2, 3].map((n) => store.createPet({ name: `Rex ${n}`, categoryId: n })));
    await eventually(() => /"status(?:Code)?":503/.test(service.output.stdout), 'a create is refused');
    other.exec('ROLLBACK');
    other.close();
    assert.deepEqual(
      (await creating).map(({ name }) => name),
      ['Rex 1', 'Rex 2', 'Rex 3'],
    );
    assert.equal(count(file, 'pets', 'true'), 3);
  });
});
