import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Kind, newUrl } from '../support/database/both-stores.ts';
import { openStream } from '../support/events/event-stream.ts';
import { animalStore, type RunningService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { answersOf, type Filled, fillStore, repeated, served } from './support/moved-store.ts';

const COPIED =
  /^Copied 7 animals, \d removed animals, 2 categories, 4 orders, 5 API keys, 1 idempotency key and \d+ events\.\nThe old database still has everything\. Start the service with the new DATABASE_URL\.\n$/;

async function move(from: string, to: string): Promise<void> {
  const { code, stdout, stderr } = await animalStore(['move', '--database', from, '--to', to]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, COPIED);
}

/** The answers of the old service, and what is compared with the first answers of the new one. */
async function before(t: TestContext, from: string) {
  return served(t, from, async (service) => {
    const { status, text: created } = await call(service.origin, 'POST', '/v1/pets', repeated);
    assert.equal(status, 201);
    const last = await call(service.origin, 'POST', '/v1/pets', {
      body: { name: 'Highest id', categoryId: 1 },
    });
    await call(service.origin, 'DELETE', `/v1/pets/${(last.json as { id: bigint }).id}`);
    const answers = await answersOf(service);
    const ids = [...(answers['/events?limit=100'] ?? '').matchAll(/"id":"([^"]+)","type"/g)].map(
      ([, id]) => id,
    );
    assert.ok(ids.length > 20, 'the events have ids');
    return { created, answers, ids };
  });
}

async function assertKeysWork({ origin }: RunningService, keys: Filled): Promise<void> {
  const expected = { reader: 200, rotated: 200, successor: 200, expired: 401, revoked: 401 };
  for (const [name, status] of Object.entries(expected)) {
    const key = keys[name as keyof Filled];
    assert.equal((await call(origin, 'GET', '/v1/pets?limit=1', { key })).status, status, name);
  }
  const body = { name: 'Rex', categoryId: 1 };
  assert.equal((await call(origin, 'POST', '/v1/pets', { key: keys.reader, body })).status, 403);
}

describe('animal-store move', () => {
  const directions: [Kind, Kind][] = [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['postgres', 'postgres'],
    ['sqlite', 'sqlite'],
  ];
  for (const [source, target] of directions) {
    it(`copies everything from ${source} to ${target}, and the new store continues from there`, async (t) => {
      const [from, to] = [await newUrl[source](t), await newUrl[target](t)];
      const keys = await fillStore(t, from);
      const { created, answers, ids } = await before(t, from);
      await move(from, to);

      await served(t, to, async (service) => {
        const { origin, port } = service;
        assert.deepEqual(await answersOf(service), answers);
        const last = ids.at(-1);
        const stream = await openStream(t, port, { headers: `Last-Event-ID: ${ids.at(-3)}\r\n` });
        assert.deepEqual(
          (await stream.received(2)).map(({ id }) => id),
          ids.slice(-2),
        );

        const removed = await call(origin, 'GET', '/v1/pets?removed=true');
        const taken = JSON.stringify([answers['/pets?limit=100'], removed.text]);
        const { json } = await call(origin, 'POST', '/v1/pets', { body: { name: 'Next', categoryId: 1 } });
        const { id } = json as { id: bigint };
        assert.ok(
          !taken.includes(`:${id},`),
          'the id of an animal, even a removed one, is never given again',
        );
        const again = await call(origin, 'POST', '/v1/pets', repeated);
        assert.deepEqual([again.status, again.text], [201, created], 'an old Idempotency-Key is known');
        const category = await call(origin, 'POST', '/v1/categories', { body: { name: 'Next' } });
        assert.equal(
          (category.json as { id: number }).id,
          3,
          'the counter and the ids of removed categories are copied',
        );
        const ofNext = (await stream.received(3))[2];
        assert.ok(ofNext && ofNext.id !== last && ofNext.data.includes(`${id}`), 'a stream goes on');
        const order = await call(origin, 'POST', '/v1/store/orders', { raw: `{"petId":${id}}` });
        assert.equal((order.json as { id: number }).id, 5);
        stream.socket.destroy();
        await assertKeysWork(service, keys);
      });
      const doctor = await animalStore(['doctor', '--database', to, '--json']);
      assert.equal(JSON.parse(doctor.stdout).ok, true, doctor.stdout);
    });
  }
});
