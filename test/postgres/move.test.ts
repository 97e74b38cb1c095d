import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { animalStore } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const server = await createCluster();
await server.start();

const once = { owner: '1', key: 'k', fingerprint: 'f' };
const names = ['Rex', '{"quoted", NULL, \\}', '🐈‍⬛ Söckchen', "'; DROP TABLE pets; --", 'line\nbreak\ttab'];

async function fill(store: Store): Promise<void> {
  for (const [i, name] of names.entries()) {
    await store.createPet({ name, categoryId: i % 2 ? INT64_MAX : INT64_MIN, status: 'available' });
  }
  await store.createPet({ name: 'Once', categoryId: 1n, status: 'sold' }, once);
  for (const petId of [1n, 2n, 3n]) await store.createOrder({ petId });
  await store.updateOrder(1n, { status: 'completed' });
  await store.updateOrder(2n, { status: 'cancelled' });
  await store.createKey({
    name: 'till 1',
    digest: 'a'.repeat(64),
    expiresAt: new Date('2031-01-01T00:00:00Z'),
  });
  await store.createKey({ name: 'till 2', digest: 'b'.repeat(64) });
  await store.revokeKey('2');
  await store.recordKeyUse([{ id: '1', at: new Date('2026-11-15T10:00:00.123Z') }]);
}

async function all(store: Store) {
  const [pets, orders, keys, counts] = await Promise.all([
    store.listPets({ limit: 1000 }),
    store.listOrders({ limit: 1000 }),
    store.listKeys(),
    store.countPets(),
  ]);
  return { pets, orders, keys, counts };
}

describe('animal-store move', () => {
  it('copies everything as it is, and the new store goes on from there', async (t) => {
    const from = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const to = await createDatabase(server);
    const old = await openStore(from);
    await fill(old);
    const before = await all(old);
    await old.close();

    const { code, stdout, stderr } = await animalStore(['move', '--database', from, '--to', to]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Copied 6 animals, 3 orders, 2 API keys and 1 idempotency key\./);

    const store = await openStore(to);
    t.after(() => store.close());
    assert.deepEqual(await all(store), before);
    const replay = await store.createPet({ name: 'Once', categoryId: 1n, status: 'sold' }, once);
    assert.deepEqual([replay.value.id, replay.replayed], [6n, true]);
    const next = await store.createPet({ name: 'next', categoryId: 1n, status: 'available' });
    assert.ok(next.value.id > 6n);
    assert.ok((await store.createOrder({ petId: next.value.id })).value.id > 3n);
  });

  it('moves nothing into a database that is in use', async (t) => {
    const from = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const to = await createDatabase(server);
    for (const url of [from, to]) {
      const store = await openStore(url);
      await store.createPet({ name: url, categoryId: 1n, status: 'available' });
      await store.close();
    }
    const { code, stderr } = await animalStore(['move', '--database', from, '--to', to]);
    assert.equal(code, 2);
    assert.match(stderr, /^animal-store: the database holds animals or keys already: move into a new one\n$/);
    const store = await openStore(to);
    assert.equal((await store.listPets({ limit: 10 })).length, 1);
    await store.close();
  });

  it('says what is wrong with a call', async (t) => {
    const missing = `sqlite:${join(await temporaryFolder(t), 'none.db')}`;
    const to = await createDatabase(server);
    for (const [args, message] of [
      [['move'], /--to is required/],
      [['move', '--database', missing, '--to', to], /there is no database .*none\.db/],
      [['move', '--database', to, '--to', to], /from sqlite:… to postgres:/],
    ] as const) {
      const { code, stderr } = await animalStore(args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});
