import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { backupStore, restoreStore } from '../../src/store/tools/backup.ts';
import { rejects } from '../support/assert.ts';
import { openSqliteFile } from '../support/database/sqlite-file.ts';
import { storedEvents } from '../support/events/events.ts';
import { petIn } from '../support/service/created.ts';
import { temporaryFolder } from '../support/service/service.ts';

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

describe('events in SQLite', () => {
  it('are undone with the change, and the change with its event, alone of their batch', async (t) => {
    const { store, db } = await openSqliteFile(t);
    const first = petIn(await store.createPet(rex));
    db.exec(`CREATE TRIGGER refuse AFTER INSERT ON events WHEN new.content LIKE '%Refused%'
      BEGIN SELECT RAISE(ABORT, 'refused'); END;
      CREATE TRIGGER refuse_key AFTER INSERT ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const outcomes = await Promise.allSettled([
      store.createPet(rex),
      store.createPet({ ...rex, name: 'Refused' }),
      store.updatePet(first.id, { name: 'Refused too' }),
      store.createPet(rex, { idempotencyKey: { owner: 'till', key: 'k', fingerprint: 'f' } }),
      store.createPet(rex),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await store.countPets(), { available: 3n, pending: 0n, sold: 0n });
    assert.equal((await store.getPet(first.id))?.name, 'Rex');
    const events = await storedEvents(store, 3);
    assert.deepEqual(
      events.map(({ position, petId }) => [position.id, petId]),
      [
        [1n, 1n],
        [2n, 2n],
        [3n, 3n],
      ],
    );
  });

  it('that a restored backup lacks make a reader start again, even if others are in their place', async (t) => {
    const folder = await temporaryFolder(t);
    const [file, backup] = [join(folder, 'pets.db'), join(folder, 'backup.db')];
    const url = `sqlite:${file}`;
    const store = await openStore(url);
    await store.createPet(rex);
    const [kept] = await storedEvents(store, 1);
    await backupStore(url, backup, { overwrite: false });
    await store.createPet({ ...rex, name: 'Lost' });
    const [, lost] = await storedEvents(store, 2);
    await store.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    await restoreStore(url, backup);

    const restored = await openStore(url);
    t.after(() => restored.close());
    await rejects(restored.listEvents({ limit: 1, after: lost?.position }), 'cursor_expired');
    await restored.createPet({ ...rex, name: 'In its place' });
    const [next] = await storedEvents(restored, 1, { after: kept?.position });
    assert.equal(next?.position.id, lost?.position.id);
    await rejects(restored.listEvents({ limit: 1, after: lost?.position }), 'cursor_expired');
  });
});
