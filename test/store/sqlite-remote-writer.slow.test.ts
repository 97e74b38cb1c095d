import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openSharedWriter, openStore } from '../../src/store/open.ts';
import type { RemoteCommit } from '../../src/store/open-options.ts';
import type { EncodedOutcome } from '../../src/store/sqlite/writer/writer.ts';
import { petsIn } from '../support/database.ts';
import { temporaryFolder } from '../support/service.ts';
import { conformance, type Opened, openOn } from './conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

/** The value as another process receives it. */
const cloned = (value: unknown): unknown => deserialize(serialize(value));

/** A new database, copied for each test: creating one takes longer than most of them. */
const template = join(await temporaryFolder({ after }), 'pets.db');
await (await openStore(`sqlite:${template}`)).close();

async function openRemote(
  t: TestContext,
): Promise<Opened & { readonly file: string; readonly remoteCommit: RemoteCommit }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  await copyFile(template, file);
  const writer = await openSharedWriter(`sqlite:${file}`);
  assert.ok(writer);
  const remoteCommit = async (batch: unknown) => cloned(await writer.commit(cloned(batch)));
  const opened = await openOn(t, `sqlite:${file}`, { remoteCommit });
  t.after(() => writer.close());
  return { file, remoteCommit, ...opened };
}

conformance('SQLite with the writer in another process', openRemote, { persistent: true, versioned: true });

describe('SQLite with the writer in another process', () => {
  it('is shared by several processes, and each sees immediately what the others have written', async (t) => {
    const { file, remoteCommit, store } = await openRemote(t);
    const { store: other } = await openOn(t, `sqlite:${file}`, { remoteCommit });
    for (let n = 0; n < 20; n++) {
      const [{ value: one }, { value: two }] = await Promise.all([
        store.createPet(rex),
        other.createPet(rex),
      ]);
      assert.deepEqual(await store.getPet(two.id), two);
      assert.deepEqual(await other.getPet(one.id), one);
    }
    assert.equal(petsIn(file).length, 40);
  });

  it('reports an unknown outcome if that process ends during a write, and then writes in its own process', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    await (await openStore(`sqlite:${file}`)).close();
    let ended = false;
    const remoteCommit = () => (ended ? undefined : Promise.reject(new Error('it ended')));
    const { store, close } = await openOn(t, `sqlite:${file}`, { remoteCommit });
    await assert.rejects(
      store.createPet(rex),
      (error) => error instanceof ApiError && error.code === 'unavailable' && /not known/.test(error.message),
    );
    ended = true;
    const made = await Promise.all(Array.from({ length: 20 }, () => store.createPet(rex)));
    assert.equal(new Set(made.map(({ value }) => value.id)).size, 20);
    await close();
    assert.equal(petsIn(file).length, 20);
  });

  it('writes although another process closes the file, and removes its -wal file, before the writer has opened it', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    await copyFile(template, file);
    // Like a worker of a primary that was killed, which ends while the next primary starts.
    const worker = new DatabaseSync(file);
    worker.prepare('SELECT count(*) FROM pets').get();
    assert.ok(existsSync(`${file}-wal`));
    const writer = await openSharedWriter(`sqlite:${file}`);
    assert.ok(writer);
    t.after(() => writer.close());
    // The thread of the writer starts in a later tick.
    worker.close();
    assert.ok(!existsSync(`${file}-wal`));
    const [outcome] = (await writer.commit([{ method: 'createPet', args: [rex] }])) as EncodedOutcome[];
    assert.ok(outcome?.ok, inspect(outcome));
    assert.equal(petsIn(file).length, 1);
  });

  it('exists only for files, because PostgreSQL accepts many writers', async () => {
    assert.equal(await openSharedWriter('postgres://127.0.0.1/shop'), undefined);
  });
});
