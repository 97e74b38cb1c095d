import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '../../src/contract/pet.ts';
import type { Server } from '../support/database/postgres.ts';
import { type Pair, promote, startPair } from '../support/database/postgres-pair.ts';
import { postgresVersions } from '../support/database/postgres-versions.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { linkOf } from '../support/links.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { assertSoonRefused } from '../support/service/refused-key.ts';
import { call } from '../support/service/service.ts';
import { type FaultProxy, startProxy } from '../support/wire/proxy.ts';
import { createKey } from './support/instance.ts';

/** How a primary fails, and how long clients may have to wait after it. */
const failures: {
  name: string;
  seconds: number;
  fail: (primary: Server, proxy: FaultProxy) => Promise<void>;
}[] = [
  { name: 'is killed', seconds: 10, fail: (primary) => primary.stop('SIGKILL') },
  { name: 'drops every packet', seconds: 20, fail: async (_, proxy) => proxy.swallow(true) },
];

const failovers = await Promise.all(
  postgresVersions.flatMap(({ name: version, installed }, i) =>
    failures
      // Each way on one version: which of them it is makes no difference to the service.
      .filter((_, n) => LONG_RUN || n % postgresVersions.length === i)
      .map(async (failure) => ({ version, pair: await startPair(installed), ...failure })),
  ),
);

for (const { version, pair, name, seconds, fail } of failovers)
  it(`${version}: after the primary ${name} and the standby is promoted, no acknowledged write is lost, and writes succeed without a restart`, (t) =>
    failOver(t, pair, fail, seconds));

async function failOver(
  t: TestContext,
  { primary, standby }: Pair,
  fail: (primary: Server, proxy: FaultProxy) => Promise<void>,
  maxSeconds: number,
): Promise<void> {
  const proxy = await startProxy(primary.port);
  const hosts = `127.0.0.1:${proxy.port},127.0.0.1:${standby.port}`;
  const DATABASE_URL = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const { id: keyId, key } = await createKey(DATABASE_URL, '--create');
  const env = { DATABASE_URL, API_KEYS: '' };
  const services = await Promise.all([spawnService(t, env), spawnService(t, env)]);
  const acknowledged = new Map<string, string>();
  let over = false;
  let lastBefore = 0;
  let firstAfter = 0;
  let refused = 0;

  /** Repeats the request until it is done. Without its Idempotency-Key, a sale that took effect would be refused with 409. */
  async function insist(origin: string, path: string, body: object, unique: string): Promise<unknown> {
    for (;;) {
      const headers = { 'idempotency-key': unique };
      const answer = await call(origin, 'POST', path, { body, headers, key });
      if (answer.status === 201) return answer.json;
      assert.equal(answer.status, 503, answer.text);
      refused++;
      await sleep(50);
    }
  }

  async function write(origin: string, client: number): Promise<void> {
    for (let n = 0; !over; n++) {
      const name = `${client}-${n}`;
      const { id } = (await insist(origin, '/v1/pets', { name, categoryId: 1 }, name)) as Pet;
      acknowledged.set(name, String(id));
      if (killedAt === 0) lastBefore = performance.now();
      else if (promotedAt !== 0 && firstAfter === 0) firstAfter = performance.now();
      await insist(origin, '/v1/store/orders', { petId: id, status: 'completed' }, `sale-${name}`);
    }
  }

  /**
   * The events, in the order in which a reader has seen them that resumes by the last id. It starts again if it has read one that no standby had.
   */
  let seen: string[] = [];
  let lost = 0;
  async function follow(origin: string, isOver: () => boolean): Promise<void> {
    let after = '';
    for (;;) {
      const wasOver = isOver();
      const answer = await call(origin, 'GET', `/v1/events?limit=50${after}`, { key });
      if (answer.status === 410) {
        lost++;
        seen = [];
        after = '';
        continue;
      }
      if (answer.status !== 200) {
        assert.equal(answer.status, 503, answer.text);
        await sleep(50);
        continue;
      }
      const events = answer.json as { id: string; type: string; pet: Pet }[];
      seen.push(...events.map(({ type, pet }) => `${type} ${pet.name}`));
      if (events.length > 0) after = `&after=${events.at(-1)?.id}`;
      else if (wasOver) return;
      else await sleep(5);
    }
  }

  let killedAt = 0;
  let promotedAt = 0;
  let isWritten = false;
  const reading = follow(services[1]?.origin as string, () => isWritten);
  const writers = Array.from({ length: 16 }, (_, i) => write(services[i % 2]?.origin as string, i));
  await eventually(() => acknowledged.size > 100, 'the load has started');
  await fail(primary, proxy);
  killedAt = performance.now();
  const before = acknowledged.size;
  await promote(standby);
  promotedAt = performance.now();
  await eventually(() => firstAfter !== 0, 'a write has succeeded again');
  const afterwards = acknowledged.size;
  await eventually(() => acknowledged.size > afterwards + 100, 'clients write');
  over = true;
  await Promise.all(writers);
  isWritten = true;
  await reading;

  const [origin = ''] = services.map((service) => service.origin);
  // Only the other instance has read meanwhile: this one may still have to find the new primary for its reads.
  await eventuallyEqual(async () => (await call(origin, 'GET', '/v1/pets', { key })).status, 200);
  const stored = new Map<string, string[]>();
  for (let next: string | undefined = '/v1/pets?limit=100'; next; ) {
    const answer = await call(origin, 'GET', next, { key });
    for (const { id, name } of answer.json as Pet[])
      stored.set(name, [...(stored.get(name) ?? []), String(id)]);
    next = linkOf(answer, 'next', next);
  }
  const seconds = (firstAfter - killedAt) / 1000;
  t.diagnostic(
    `${before} acknowledged before the failure, ${acknowledged.size} in all, ${refused} refused with 503, ${lost} times an event that was read is lost; writing again ${seconds.toFixed(1)} s after the failure, ${((promotedAt - killedAt) / 1000).toFixed(1)} s of it for the promotion`,
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
  assert.deepEqual(
    seen.toSorted(),
    [...stored.keys()].flatMap((name) => [`order.completed ${name}`, `pet.created ${name}`]).sort(),
    'each change has one event, which is read once',
  );
  assert.ok(seconds < maxSeconds, `writing again only after ${seconds} s`);

  // The stored key has worked all the time, and can be revoked on the new primary.
  assert.equal((await animalStore(['keys', 'revoke', keyId], { DATABASE_URL })).code, 0);
  await assertSoonRefused(
    services.map(({ origin }) => origin),
    key,
  );
}
