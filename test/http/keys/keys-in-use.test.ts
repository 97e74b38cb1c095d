import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { callsTo, type RotatedKey } from './support.ts';

const service = await startServiceForFile();
const { accepted, isAccepted, keyWith, listed } = callsTo(service);

interface Requests {
  /** The outcomes so far. */
  readonly outcomes: Set<number>;
  stop(): Promise<void>;
}

/** Sends requests with a key until the test ends. */
async function sendWith(t: TestContext, key: string): Promise<Requests> {
  const outcomes: Requests['outcomes'] = new Set();
  let running = true;
  const loop = async () => {
    while (running) {
      const { status } = await service.call('GET', '/v1/pets', { key });
      outcomes.add(status);
    }
  };
  const loops = [loop(), loop(), loop()];
  const stop = async () => {
    running = false;
    await Promise.all(loops);
  };
  t.after(stop);
  await eventually(() => outcomes.size > 0, 'requests are answered');
  return { outcomes, stop };
}

describe('While requests run', () => {
  it('a rotation refuses none of them, with the old key or the new one', async (t) => {
    const { id, key } = await keyWith('pets:read');
    const withOld = await sendWith(t, key);
    const rotated = await service.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
    const { key: newKey } = rotated.json as RotatedKey;
    await accepted(newKey);
    const withNew = await sendWith(t, newKey);
    for (const { outcomes, stop } of [withOld, withNew]) {
      await stop();
      assert.deepEqual(outcomes, new Set([200]));
    }
  });

  it('a revocation refuses all of them from then on, and those of no other key', async (t) => {
    const [gone, other] = [await keyWith('pets:read'), await keyWith('pets:read')];
    const [withGone, withOther] = [await sendWith(t, gone.key), await sendWith(t, other.key)];
    await service.call('DELETE', `/v1/keys/${gone.id}`);
    await eventually(() => withGone.outcomes.has(401), 'a request is refused');
    for (let n = 0; n < 50; n++) assert.ok(!(await isAccepted(gone.key)), 'accepted again');
    await withGone.stop();
    await withOther.stop();
    assert.deepEqual(withGone.outcomes, new Set([200, 401]));
    assert.deepEqual(withOther.outcomes, new Set([200]));
  });

  it('of revocations and rotations of a key at once, each is done or refused as a whole', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await storeKey(service.store, ['pets:read']);
      const revoke = () => service.call('DELETE', `/v1/keys/${id}`);
      const rotate = () => service.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
      const [a, b, c, d] = await Promise.all([rotate(), revoke(), rotate(), revoke()]);
      const rotations = [a, c].map(({ status }) => status).sort();
      assert.deepEqual(
        [b, d].map(({ status }) => status),
        [204, 204],
      );
      assert.ok(['201,409', '409,409'].includes(rotations.join()), rotations.join());
      const old = await listed(id);
      assert.ok(old?.revokedAt !== undefined, 'the old key is revoked');
      assert.equal(old.replacedBy !== undefined, rotations.includes(201));
    }
  });
});
