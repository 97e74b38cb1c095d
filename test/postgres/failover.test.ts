import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '../../src/contract/pet.ts';
import { linkOf } from '../support/links.ts';
import { promote, startPair } from '../support/postgres-pair.ts';
import { spawnService } from '../support/process.ts';
import { call } from '../support/service.ts';

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
  await promote(standby);
  promotedAt = performance.now();
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
