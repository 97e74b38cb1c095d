import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { samplePets } from '../../src/data/samples.ts';
import { petRows } from '../../src/data/write.ts';
import { openStore } from '../../src/store/open.ts';
import { LOCK_CATEGORIES, LOCK_EVENTS } from '../../src/store/postgres/writer/locks.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';

const ROWS = 20_000;
const SIGNALS = ['SIGINT', 'SIGKILL'] as const;
const text = petRows(
  [...samplePets(ROWS, 1)].map((pet, i) => ({ id: BigInt(i + 1), ...pet })),
  'ndjson',
);

const server = await createCluster();
await server.start();

const databases: Record<string, (t: TestContext) => Promise<string>> = {
  SQLite: async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
  PostgreSQL: () => createDatabase(server),
};

/** The inventory as the service counts it, and that it agrees with what the service lists. */
async function petCount({ origin }: RunningService): Promise<number> {
  const { json } = await call(origin, 'GET', '/v1/store/inventory');
  const total = Object.values(json as Record<string, bigint>).reduce((sum, count) => sum + Number(count), 0);
  const newest = (await call(origin, 'GET', '/v1/pets?limit=1')).json as unknown[];
  assert.equal(newest.length, Math.min(total, 1));
  return total;
}

async function create({ origin }: RunningService): Promise<void> {
  const { status } = await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } });
  assert.equal(status, 201);
}

for (const [name, createUrl] of Object.entries(databases)) {
  describe(`An import that is interrupted beside a running service on ${name}`, { timeout: 120_000 }, () => {
    for (const signal of SIGNALS) {
      it(`adds nothing when ${signal} comes while it reads`, async (t) => {
        const url = await createUrl(t);
        const service = await spawnService(t, { DATABASE_URL: url });
        const command = spawnCommand(t, ['import', '-', '--format', 'ndjson'], { DATABASE_URL: url });
        // The last piece is taken when the rows before it have been read: a pipe holds far less.
        await command.send(text);
        await create(service);
        command.child.kill(signal);
        assert.equal(await command.exited, signal);
        await create(service);
        assert.equal(await petCount(service), 2);
        assert.equal(service.errors(), '');
      });
    }

    it('adds everything or nothing, whenever kill -9 comes', async (t) => {
      const url = await createUrl(t);
      const file = join(await temporaryFolder(t), 'pets.ndjson');
      await writeFile(file, text);
      const service = await spawnService(t, { DATABASE_URL: url });
      const startedAt = performance.now();
      assert.equal(await spawnCommand(t, ['import', file], { DATABASE_URL: url }).exited, 0);
      const wholeMs = performance.now() - startedAt;
      let total = ROWS;
      assert.equal(await petCount(service), total);
      for (const part of LONG_RUN ? [0.5, 0.6, 0.7, 0.8, 0.9] : [0.6, 0.85]) {
        const command = spawnCommand(t, ['import', file], { DATABASE_URL: url });
        await Promise.race([sleep(part * wholeMs), command.exited]);
        command.child.kill('SIGKILL');
        const ended = await command.exited;
        // The server of PostgreSQL may still be ending the transaction of the connection that is gone.
        await create(service);
        const added = (await petCount(service)) - total - 1;
        t.diagnostic(`ended by ${ended} after ${part} of the time: ${added} animals added`);
        assert.ok(added === 0 || added === ROWS, `${added} animals were added`);
        if (ended === 0) assert.equal(added, ROWS);
        total += added + 1;
      }
      assert.equal(service.errors(), '');
    });
  });
}

describe('An import that is suspended (SIGSTOP) beside a running service on PostgreSQL', {
  timeout: 120_000,
}, () => {
  const rows = (more: string) =>
    Array.from({ length: 1000 }, (_, i) => `{"id":${i + 1},"name":"Max",${more}}`).join('\n');
  const update = { args: ['--update'], text: rows('"category":"Dogs"') };
  const keepIds = { args: ['--keep-ids'], text: rows('"categoryId":7,"status":"available"') };
  // It waits for the lock when it is stopped, and gets it then, with what it has locked before.
  for (const [step, { args, text }, lock] of [
    ['has the names of categories', update, LOCK_CATEGORIES],
    ['has animals', update, 'SELECT FROM pets WHERE id = 1000 FOR UPDATE'],
    ['has changed everything', update, 'LOCK TABLE pets IN SHARE UPDATE EXCLUSIVE MODE'],
    ['numbers its events', update, LOCK_EVENTS],
    ['has the table of animals', keepIds, 'LOCK TABLE pets IN ROW EXCLUSIVE MODE'],
    ['numbers its events, and has the table', keepIds, LOCK_EVENTS],
  ] as const)
    it(`when it ${step}: writes go on within seconds, and all of it is stored or nothing`, async (t) => {
      const url = await createDatabase(server);
      const store = await openStore(url);
      t.after(() => store.close());
      const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
      if (args[0] === '--update')
        for (let i = 0; i < 10; i++) await store.createPets(Array.from({ length: 100 }, () => pet));
      const sql = connect(t, url, { max: 2 });
      const command = spawnCommand(t, ['import', '-', '--format=ndjson', ...args], { DATABASE_URL: url });
      await sql.begin(async (tx) => {
        await tx.unsafe(lock);
        command.child.stdin?.end(text);
        await untilBlocked(sql);
        command.child.kill('SIGSTOP');
      });
      const write = async () => {
        await Promise.all([
          store.createPet(pet),
          store.createCategory({ name: `Cats ${Math.random()}` }),
          args[0] === '--update' && store.updatePet(1000n, { categoryId: 8n }),
        ]);
        return true;
      };
      await eventually(() => write().catch(() => false), 'every kind of write succeeds', 20_000);
      command.child.kill('SIGCONT');
      const isStored = lock === LOCK_EVENTS;
      assert.equal(await command.exited, isStored ? 0 : 3, command.output.stderr);
      assert.match(
        command.output.stderr,
        isStored
          ? /^$/
          : /^animal-store: .* lost: try again. Nothing was stored. A command that is suspended loses its connection\n$/,
      );
      assert.equal((await sql`SELECT FROM pets WHERE name = 'Max'`).length, isStored ? 1000 : 0);
    });

  it('while it connects: it goes on', async (t) => {
    const url = new URL(await createDatabase(server));
    const serverPort = Number(url.port);
    const front = createServer((client) => {
      const upstream = createConnection(serverPort, '127.0.0.1');
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.pipe(upstream).pipe(client);
    });
    await once(front.listen(0, '127.0.0.1'), 'listening');
    t.after(() => front.close());
    url.port = String((front.address() as AddressInfo).port);
    const command = spawnCommand(t, ['import', '-', '--format=ndjson'], { DATABASE_URL: url.href });
    command.child.stdin?.end(rows('"categoryId":7'));
    await once(front, 'connection');
    command.child.kill('SIGSTOP');
    await sleep(5000);
    command.child.kill('SIGCONT');
    assert.equal(await command.exited, 0, command.output.stderr);
  });

  it('as is a merge of categories when it numbers its events', async (t) => {
    const url = await createDatabase(server);
    const store = await openStore(url);
    t.after(() => store.close());
    for (const id of [7n, 8n]) await store.setCategory({ id, name: `Category ${id}` });
    await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
    const sql = connect(t, url, { max: 2 });
    const command = spawnCommand(t, ['categories', 'merge', '--into=8', '7'], { DATABASE_URL: url });
    await sql.begin(async (tx) => {
      await tx.unsafe(LOCK_EVENTS);
      await untilBlocked(sql);
      command.child.kill('SIGSTOP');
    });
    const write = () => store.setCategory({ id: 9n, name: `Cats ${Math.random()}` });
    await eventually(() => write().then(Boolean, () => false), 'writes succeed', 20_000);
    command.child.kill('SIGCONT');
    const exit = await command.exited;
    assert.ok(exit === 0 || exit === 3, command.output.stderr);
  });
});
