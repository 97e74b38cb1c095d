import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { animalStore } from '../../support/service/process.ts';
import { assertSoonRefused } from '../../support/service/refused-key.ts';
import { type Service, startService, temporaryFolder } from '../../support/service/service.ts';

/** A service, its database, and a second store on that database, such as another process has. */
async function start(t: TestContext): Promise<{ service: Service; database: string; other: Store }> {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = await startService(t, { database });
  const other = await openStore(database);
  t.after(() => other.close());
  return { service, database, other };
}

async function createKeyIn(store: Store, expiresAt?: Date): Promise<{ key: string; id: string }> {
  const key = generateKey();
  const { id } = await store.createKey({ name: 'till 3', digest: digestOf(key), scopes: ['*'], expiresAt });
  return { key, id };
}

describe('A stored API key', { concurrency: true }, () => {
  it('works as soon as another process has created it, and stops within one second after another process revokes it', async (t) => {
    const { service, database, other } = await start(t);
    const made = await createKeyIn(other);
    const byCommand = await animalStore(['keys', 'create', '--name', 'till 4', '--json'], {
      DATABASE_URL: database,
    });
    assert.equal(byCommand.code, 0, byCommand.stderr);
    const printed = JSON.parse(byCommand.stdout) as { key: string; id: string };
    for (const { key } of [made, printed]) {
      assert.equal((await service.call('GET', '/v1/pets', { key })).status, 200);
    }

    await other.revokeKey(made.id);
    const revoked = await animalStore(['keys', 'revoke', printed.id], { DATABASE_URL: database });
    assert.equal(revoked.code, 0, revoked.stderr);
    for (const { key } of [made, printed]) {
      await assertSoonRefused([service.origin], key);
      assertError(await service.call('GET', '/v1/pets', { key }), 401, 'unauthorized');
    }
  });

  it('works until it expires', async (t) => {
    const { service, other } = await start(t);
    let hasWorked = false;
    // A busy machine may take longer than the lifetime of the key to notice it: then again, with a longer one.
    for (let lifetimeMs = 2000; !hasWorked && lifetimeMs < 60_000; lifetimeMs *= 2) {
      const expiresAt = new Date(Date.now() + lifetimeMs);
      const { key } = await createKeyIn(other, expiresAt);
      for (; Date.now() < expiresAt.getTime() - 50; await sleep(20))
        hasWorked ||= (await service.call('GET', '/v1/pets', { key })).status === 200;
      await sleep(expiresAt.getTime() - Date.now() + 1);
      assertError(await service.call('GET', '/v1/pets', { key }), 401, 'unauthorized');
    }
    assert.ok(hasWorked, 'the key worked before it expired');
  });

  it('is refused with the reason in the log and never in the response', async (t) => {
    const { service, other } = await start(t);
    const good = await createKeyIn(other);
    const revoked = await createKeyIn(other);
    await other.revokeKey(revoked.id);
    await assertSoonRefused([service.origin], revoked.key);
    const expired = await createKeyIn(other, new Date(Date.now() - 1));
    const mistyped = good.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    const keys = [good.key, revoked.key, expired.key, mistyped];
    const refusals = {
      revoked: `Bearer ${revoked.key}`,
      expired: `Bearer ${expired.key}`,
      mistyped: `Bearer ${mistyped}`,
      unknown: `Bearer ${generateKey()}`,
      malformed: `Bearer ${good.key} ${good.key}`,
    };

    const seen = new Set<string>();
    for (const [refusal, authorization] of Object.entries(refusals)) {
      const answer = await service.call('GET', '/v1/pets', { key: null, headers: { authorization } });
      assertError(answer, 401, 'unauthorized');
      const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      seen.add(JSON.stringify([headers, answer.text]));
      assert.deepEqual(
        (await linesOf(service, answer)).map((line) => line.refusal),
        [refusal],
      );
    }
    assert.equal(seen.size, 1, 'every refusal has the same response');

    const missing = await service.call('GET', '/v1/pets', { key: null });
    assert.equal((await linesOf(service, missing))[0]?.refusal, 'missing');
    assert.ok([...seen][0]?.includes(JSON.stringify(missing.text)), 'a missing key gets the same body');

    const accepted = await service.call('GET', '/v1/pets', { key: good.key });
    const [line] = await linesOf(service, accepted);
    assert.equal(line?.keyId, good.id);
    assert.equal(line?.refusal, undefined);
    await settleLog(service);
    const log = JSON.stringify(service.log);
    for (const key of keys)
      assert.ok(!log.includes(key) && !log.includes(digestOf(key)), 'the log contains no key and no digest');
  });
});
