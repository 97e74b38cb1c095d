import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Pet } from '../../src/contract/pet.ts';
import { linkOf } from '../support/links.ts';
import { chownToServerUser, createCluster, type Server, serverOn } from '../support/postgres.ts';
import { spawnService } from '../support/process.ts';
import { call } from '../support/service.ts';

const REPLICATION = [
  'synchronous_standby_names=*',
  'synchronous_commit=on',
  'wal_level=replica',
  'max_wal_senders=4',
];

/** A primary and a synchronous standby, which receives every commit before it is acknowledged. */
async function startPair(): Promise<{ primary: Server; standby: Server }> {
  const primary = await createCluster('primary');
  const copy = `${primary.folder}-standby`;
  await cp(primary.folder, copy, { recursive: true });
  await writeFile(`${copy}/standby.signal`, '');
  await chownToServerUser(copy);
  const standby = await serverOn(copy);
  await primary.start(REPLICATION);
  await standby.start([
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
    'hot_standby=on',
  ]);
  await until(primary, async (sql) => {
    const [row] = await sql`SELECT sync_state FROM pg_stat_replication`;
    return row?.sync_state === 'sync';
  });
  return { primary, standby };
}

async function until(server: Server, holds: (sql: postgres.Sql) => Promise<boolean>): Promise<void> {
  const sql = postgres(server.url('postgres'), { max: 1 });
  while (!(await holds(sql))) await sleep(50);
  await sql.end();
}

it('after a failover to the standby no acknowledged write is lost, and writes succeed without a restart', async (t) => {
  const { primary, standby } = await startPair();
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const DATABASE_URL = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const services = await Promise.all([spawnService(t, { DATABASE_URL }), spawnService(t, { DATABASE_URL })]);
  const acknowledged = new Map<string, string>();
  let over = false;
  let lastBefore = 0;
  let firstAfter = 0;
  let refused = 0;

  async function write(origin: string, client: number): Promise<void> {
    for (let n = 0; !over; n++) {
      const key = `${client}-${n}`;
      const body = { name: key, categoryId: 1 };
      for (;;) {
        const answer = await call(origin, 'POST', '/v1/pets', { body, headers: { 'idempotency-key': key } });
        if (answer.status === 201) {
          acknowledged.set(key, String((answer.json as Pet).id));
          if (killedAt === 0) lastBefore = performance.now();
          else if (promotedAt !== 0 && firstAfter === 0) firstAfter = performance.now();
          break;
        }
        assert.equal(answer.status, 503);
        refused++;
        await sleep(50);
        if (over) return;
      }
    }
  }

  let killedAt = 0;
  let promotedAt = 0;
  const writers = Array.from({ length: 16 }, (_, i) => write(services[i % 2]?.origin as string, i));
  await sleep(1000);
  await primary.stop('SIGKILL');
  killedAt = performance.now();
  const before = acknowledged.size;
  const admin = postgres(standby.url('postgres'), { max: 1 });
  await admin`SELECT pg_promote()`;
  promotedAt = performance.now();
  await admin.end();
  while (firstAfter === 0 && performance.now() - killedAt < 20_000) await sleep(20);
  await sleep(1000);
  over = true;
  await Promise.all(writers);

  const [origin = ''] = services.map((service) => service.origin);
  const stored = new Map<string, string[]>();
  for (let next: string | undefined = '/v1/pets?limit=100'; next; ) {
    const answer = await call(origin, 'GET', next);
    for (const { id, name } of answer.json as Pet[])
      stored.set(name, [...(stored.get(name) ?? []), String(id)]);
    next = linkOf(answer, 'next', next);
  }
  const seconds = (firstAfter - killedAt) / 1000;
  t.diagnostic(
    `${before} acknowledged before the kill, ${acknowledged.size} in all, ${refused} refused with 503; writing again ${seconds.toFixed(1)} s after the kill, ${((promotedAt - killedAt) / 1000).toFixed(1)} s of it for the promotion`,
  );
  assert.ok(before > 20 && lastBefore > 0, 'too few writes to prove anything');
  assert.deepEqual(
    [...acknowledged].filter(([key, id]) => stored.get(key)?.[0] !== id),
    [],
  );
  assert.deepEqual(
    [...stored].filter(([, ids]) => ids.length !== 1),
    [],
  );
  assert.ok(seconds < 10, `writing again only after ${seconds} s`);
});
