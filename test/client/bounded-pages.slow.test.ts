import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { ListedPet, Page, PetQuery } from '../../src/client/index.ts';
import { limits } from '../../src/contract/limits.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { startService, temporaryFolder } from '../support/service/service.ts';
import { clientOf, collect } from './support/client.ts';

/** Animals with these names, oldest first, added as a file would be. */
async function serviceWith(t: TestContext, names: readonly string[]) {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const batches = async function* () {
    yield names.map((name) => ({ name, categoryId: 7n, status: 'available' as const }));
  };
  await importPets(database, batches(), { create: true });
  return startService(t, { database });
}

const several = (name: string, count: number) => Array.from({ length: count }, () => name);

describe('A search of the client that looks at more animals than one request does', () => {
  it('goes on over short and empty pages, and ends', async (t) => {
    const names = ['Zoë', ...several('Rex', 2 * limits.lookedAt), ...several('ZOE', 130)];
    const { origin } = await serviceWith(t, names);
    const store = clientOf(`${origin}/v1`);
    const query = { name: 'zoë', status: 'available', categoryId: 7 } as const;

    const sizes: number[] = [];
    for (let next: PetQuery | string | undefined = { ...query, limit: 100 }; next !== undefined; ) {
      const page: Page<ListedPet> = await store.listPets(next);
      sizes.push(page.items.length);
      next = page.next;
    }
    assert.deepEqual(sizes, [100, 30, 0, 1]);

    const found = await collect(store.pets(query));
    assert.deepEqual(
      found.map(({ id }) => id),
      [...Array.from({ length: 130 }, (_, n) => BigInt(names.length - n)), 1n],
    );
    assert.deepEqual(await collect(store.pets({ name: 'nobody' })), []);
  });
});
