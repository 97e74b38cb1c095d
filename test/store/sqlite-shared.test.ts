import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openSharedWriter, openStore } from '../../src/store/open.ts';
import type { Carry } from '../../src/store/shared.ts';
import { petsIn } from '../support/database.ts';
import { temporaryFolder } from '../support/service.ts';
import { conformance, type Opened, openOn } from './conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

/** What a value is on the other side of the way between two processes. */
const cloned = (value: unknown): unknown => deserialize(serialize(value));

async function openCarried(
  t: TestContext,
): Promise<Opened & { readonly file: string; readonly carry: Carry }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  await (await openStore(`sqlite:${file}`)).close();
  const writer = await openSharedWriter(`sqlite:${file}`);
  assert.ok(writer);
  const carry = async (batch: unknown) => cloned(await writer.commit(cloned(batch)));
  const opened = await openOn(t, `sqlite:${file}`, { carry });
  t.after(() => writer.close());
  return { file, carry, ...opened };
}

conformance('SQLite with the writer in another process', openCarried, { lasting: true, versioned: true });

describe('SQLite with the writer in another process', () => {
  it('is shared by many, and each sees at once what any has written', async (t) => {
    const { file, carry, store } = await openCarried(t);
    const { store: other } = await openOn(t, `sqlite:${file}`, { carry });
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

  it('does not know what became of a write when that process ends, and writes the next by itself', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    await (await openStore(`sqlite:${file}`)).close();
    let ended = false;
    const carry = () => (ended ? undefined : Promise.reject(new Error('it has ended')));
    const { store, close } = await openOn(t, `sqlite:${file}`, { carry });
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

  it('is for files: PostgreSQL has many writers', async () => {
    assert.equal(await openSharedWriter('postgres://127.0.0.1/shop'), undefined);
  });
});
