import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { eventuallyEqual } from '../../support/eventually.ts';
import { type Service, startService, temporaryFolder } from '../../support/service/service.ts';

const HOUR_MS = 3_600_000;

async function start(t: TestContext): Promise<{ service: Service; db: DatabaseSync }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const service = await startService(t, { database: `sqlite:${file}` });
  const db = new DatabaseSync(file, { timeout: 2000 });
  t.after(() => db.close());
  return { service, db };
}

const create = ({ call }: Service, key: string, name = 'Rex') =>
  call('POST', '/v1/pets', { body: { name, categoryId: 7 }, headers: { 'idempotency-key': key } });

function age(db: DatabaseSync, ms: number): void {
  db.prepare('UPDATE idempotency_keys SET created_at = created_at - ?').run(ms);
}

const keysIn = (db: DatabaseSync) =>
  db
    .prepare('SELECT key FROM idempotency_keys ORDER BY key')
    .all()
    .map(({ key }) => key);

describe('An Idempotency-Key', () => {
  it('that an earlier version has stored is still known: a create has the fingerprint that it always had', async (t) => {
    const { service, db } = await start(t);
    const pet = { name: 'Rex', categoryId: 7 };
    const creates: [path: string, body: object, fingerprint: string][] = [
      ['/pets', pet, 'e5DfjhuyJ7WOwm3QJdbUMBsqRJryiHsrJXbWDnBm8dk'],
      ['/pets/batch', { pets: [pet] }, 'OREnfb9NSL7E3g1Dgvz5WvYbHOgMnteDPdWn7z1Mkmk'],
      ['/store/orders', { petId: 1, note: 'Ms Lee' }, 'yXSE9TpU4yE7uJYV-u7yMnSII56bSjzuOrZiVtKuERc'],
      ['/categories', { name: 'Dogs' }, 'WMY8ACHnJWgVI1ng6YHZ4yqUrIVyMxXscON4Fuvodz4'],
    ];
    for (const [path, body, fingerprint] of creates) {
      const headers = { 'idempotency-key': path };
      assert.equal((await service.call('POST', `/v1${path}`, { body, headers })).status, 201);
      const stored = db.prepare('SELECT fingerprint FROM idempotency_keys WHERE key = ?').get(path);
      assert.equal(stored?.fingerprint, fingerprint, path);
    }
  });

  it('is valid for 24 hours and can be used again after that', async (t) => {
    const { service, db } = await start(t);
    const first = await create(service, 'k');
    age(db, 24 * HOUR_MS - 60_000);
    const replay = await create(service, 'k');
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.equal(replay.text, first.text);
    assert.equal((await create(service, 'k', 'Ada')).status, 422);

    age(db, 60_000);
    const again = await create(service, 'k', 'Ada');
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), null);
    assert.equal(again.text, '{"id":2,"name":"Ada","categoryId":7,"status":"available"}');
    assert.equal((await create(service, 'k', 'Ada')).text, again.text);
  });

  it('is deleted after 24 hours, and not before', async (t) => {
    // The clean-up runs every minute. Only its timer is simulated; the store is real.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { service, db } = await start(t);
    await create(service, 'old');
    const copy = db.prepare(
      'INSERT INTO idempotency_keys SELECT owner, ?, fingerprint, result, created_at, status FROM idempotency_keys WHERE key = ?',
    );
    for (let i = 0; i < 1000; i++) copy.run(`old ${i}`, 'old');
    age(db, 24 * HOUR_MS);
    await create(service, 'new');
    assert.equal(keysIn(db).length, 1002);
    t.mock.timers.tick(60_000);
    await eventuallyEqual(() => keysIn(db), ['new']);
    assert.equal((await create(service, 'new')).headers.get('idempotent-replayed'), 'true');
  });
});
