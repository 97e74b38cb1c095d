import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Order } from '../../src/contract/order.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { animalStore, assertShutsDown, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const SUNSET = Date.parse('2030-12-05T00:00:00Z');
const BODY = { name: 'Rex', categoryId: 7 };

/** The service under libfaketime. Only the time of day is moved, as by an operator or NTP: timers run on. */
async function start(t: TestContext, url: string, env: Record<string, string> = {}, startsAt = 0) {
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const file = join(await temporaryFolder(t), 'clock');
  await writeFile(file, `+${startsAt}`);
  const service = await spawnService(t, {
    DATABASE_URL: url,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...env,
  });
  /** Sets the clock of the service to so many seconds from the real time. */
  const move = async (seconds: number) => {
    await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`);
    await eventually(async () => {
      const date = Date.parse((await call(service.origin, 'GET', '/healthz')).headers.get('date') ?? '');
      return Math.abs(date - Date.now() - seconds * 1000) < 60_000;
    }, 'the clock of the service has moved');
  };
  return { ...service, move };
}

const databaseUrl = async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;

describe('a clock that is moved while the service runs', { concurrency: 2, timeout: 120_000 }, () => {
  // Two services at once are much for an ordinary run.
  if (LONG_RUN)
    it('by an hour, forward and back, affects no request, no key and no Idempotency-Key; two days end both', async (t) => {
      if (!hasTools(t, 'faketime')) return;
      const url = await databaseUrl(t);
      const args = ['keys', 'create', '--name', 'a', '--expires', '1d', '--create', '--json'];
      const { key } = JSON.parse((await animalStore(args, { DATABASE_URL: url })).stdout) as { key: string };
      const service = await start(t, url);
      const { origin } = service;
      const statusOfKey = async () => (await call(origin, 'GET', '/v1/pets', { key })).status;
      const headers = { 'idempotency-key': 'a' };
      const first = await call(origin, 'POST', '/v1/pets', { body: BODY, headers });
      assert.equal(first.status, 201);
      const petIds = [1];
      for (const [n, seconds] of [HOUR, 0, -HOUR, 0].entries()) {
        await service.move(seconds);
        assert.equal(await statusOfKey(), 200);
        const replay = await call(origin, 'POST', '/v1/pets', { body: BODY, headers });
        assert.deepEqual([replay.status, replay.text], [201, first.text]);
        assert.equal(replay.headers.get('idempotent-replayed'), 'true');
        petIds.push(
          Number(((await call(origin, 'POST', '/v1/pets', { body: BODY })).json as { id: bigint }).id),
        );
        const order = await call(origin, 'POST', '/v1/store/orders', { body: { petId: petIds[n] } });
        assert.equal(order.status, 201, order.text);
      }
      // The orders were placed at +1 h, now, -1 h and now; each is completed now.
      const orders = (await call(origin, 'GET', '/v1/store/orders')).json as Order[];
      for (const { id } of orders) {
        const { status, json } = await call(origin, 'PATCH', `/v1/store/orders/${id}`, {
          body: { status: 'completed' },
        });
        assert.equal(status, 200);
        const { createdAt, updatedAt } = json as Order;
        assert.ok(updatedAt >= createdAt, `${createdAt} ${updatedAt}`);
      }
      assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
      await service.move(2 * DAY);
      await eventuallyEqual(statusOfKey, 401);
      const again = await call(origin, 'POST', '/v1/pets', { body: BODY, headers });
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, null]);
      await assertShutsDown(service);
      assert.equal(service.errors(), '');
      assert.doesNotMatch(service.output.stdout, /"level":50/);
    });

  it('past 5 December 2030 removes getPet only if the operator has said so', async (t) => {
    if (!hasTools(t, 'faketime')) return;
    const pastSunset = Math.ceil((SUNSET - Date.now()) / 1000) + DAY;
    const url = await databaseUrl(t);
    for (const [removed, startsAt, status] of [
      ['false', 0, 200],
      ['false', pastSunset, 200],
      ['true', 0, 410],
    ] as const) {
      const service = await start(t, url, { REMOVE_DEPRECATED: removed }, startsAt);
      await call(service.origin, 'POST', '/v1/pets', { body: BODY });
      for (const seconds of [0, pastSunset]) {
        await service.move(seconds);
        const answer = await call(service.origin, 'GET', '/v1/pets/1');
        assert.equal(answer.status, status);
        assert.equal(answer.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT');
        assert.equal(
          (await call(service.origin, 'GET', '/v1/pets?id=1')).status,
          200,
          'its replacement works',
        );
        assert.equal((await call(service.origin, 'POST', '/v1/pets', { body: BODY })).status, 201);
      }
      await assertShutsDown(service);
    }
  });
});
