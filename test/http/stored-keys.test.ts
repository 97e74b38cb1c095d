import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { assertError } from '../support/assert.ts';
import { linesOf, settleLog } from '../support/log.ts';
import { animalStore } from '../support/process.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

/** What the contract gives a change of keys until it holds everywhere. */
const WITHIN_MS = 1000;

/** A service, its database, and a second handle on that, as another process would have. */
async function start(t: TestContext): Promise<{ service: Service; database: string; other: Store }> {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = await startService(t, { database });
  const other = await openStore(database);
  t.after(() => other.close());
  return { service, database, other };
}

async function makeKey(store: Store, expiresAt?: Date): Promise<{ key: string; id: string }> {
  const key = generateKey();
  const { id } = await store.createKey({ name: 'till 3', digest: digestOf(key), expiresAt });
  return { key, id };
}

describe('A stored API key', { concurrency: true }, () => {
  it('works within a second after another process made it, and no longer a second after one revoked it', async (t) => {
    const { service, database, other } = await start(t);
    const made = await makeKey(other);
    const byCommand = await animalStore(['keys', 'create', '--name', 'till 4', '--json'], {
      DATABASE_URL: database,
    });
    assert.equal(byCommand.code, 0, byCommand.stderr);
    const printed = JSON.parse(byCommand.stdout) as { key: string; id: string };
    await sleep(WITHIN_MS);
    for (const { key } of [made, printed]) {
      assert.equal((await service.call('GET', '/v1/pets', { key })).status, 200);
    }

    await other.revokeKey(made.id);
    const revoked = await animalStore(['keys', 'revoke', printed.id], { DATABASE_URL: database });
    assert.equal(revoked.code, 0, revoked.stderr);
    await sleep(WITHIN_MS);
    for (const { key } of [made, printed]) {
      assertError(await service.call('GET', '/v1/pets', { key }), 401, 'unauthorized');
    }
  });

  it('works until it expires', async (t) => {
    const { service, other } = await start(t);
    const expiresAt = new Date(Date.now() + 2 * WITHIN_MS);
    const { key } = await makeKey(other, expiresAt);
    const statuses = new Set<number>();
    while (Date.now() < expiresAt.getTime() - 50) {
      statuses.add((await service.call('GET', '/v1/pets', { key })).status);
      await sleep(20);
    }
    assert.ok(statuses.has(200), 'it worked before');
    await sleep(expiresAt.getTime() - Date.now() + 1);
    assertError(await service.call('GET', '/v1/pets', { key }), 401, 'unauthorized');
  });

  it('is told in the log, never in the answer, why it was refused', async (t) => {
    const { service, other } = await start(t);
    const good = await makeKey(other);
    const revoked = await makeKey(other);
    await other.revokeKey(revoked.id);
    const expired = await makeKey(other, new Date(Date.now() - 1));
    const mistyped = good.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    await sleep(WITHIN_MS);
    const keys = [good.key, revoked.key, expired.key, mistyped];
    const refusals = {
      revoked: `Bearer ${revoked.key}`,
      expired: `Bearer ${expired.key}`,
      mistyped: `Bearer ${mistyped}`,
      unknown: `Bearer ${generateKey()}`,
      malformed: `Bearer ${good.key} ${good.key}`,
    };

    const told = new Set<string>();
    for (const [refusal, authorization] of Object.entries(refusals)) {
      const answer = await service.call('GET', '/v1/pets', { key: null, headers: { authorization } });
      assertError(answer, 401, 'unauthorized');
      const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      told.add(JSON.stringify([headers, answer.text]));
      assert.deepEqual(
        (await linesOf(service, answer)).map((line) => line.refusal),
        [refusal],
      );
    }
    assert.equal(told.size, 1, 'one answer for all');

    const missing = await service.call('GET', '/v1/pets', { key: null });
    assert.equal((await linesOf(service, missing))[0]?.refusal, 'missing');
    assert.ok([...told][0]?.includes(JSON.stringify(missing.text)), 'the same body as for a missing key');

    const accepted = await service.call('GET', '/v1/pets', { key: good.key });
    const [line] = await linesOf(service, accepted);
    assert.equal(line?.keyId, good.id);
    assert.equal(line?.refusal, undefined);
    await settleLog(service);
    const log = JSON.stringify(service.log);
    for (const key of keys)
      assert.ok(!log.includes(key) && !log.includes(digestOf(key)), 'no key in the log');
  });
});
