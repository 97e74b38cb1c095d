import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AnimalStore } from '../../src/client/index.ts';
import { type Gathering, gatherAnimals } from '../../src/web/browser/console/animals/paper-data.ts';
import { Api } from '../../src/web/browser/console/data/api.ts';
import type { AnimalQuery } from '../../src/web/browser/console/data/find/animals.ts';
import { Shop } from '../../src/web/browser/console/data/shop.ts';
import { KEY } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';

const service = await startServiceForFile();
const client = new AnimalStore({ baseUrl: `${service.origin}/v1`, apiKey: KEY });
const KITTENS = 230;
/** So many are sold that their orders are not asked for one by one. */
const SOLD = 120;

async function gather(query: AnimalQuery, gathering: Partial<Gathering> = {}) {
  const shop = new Shop(new Api({ client, key: await client.getCurrentKey() }, new AbortController().signal));
  await shop.categories.load();
  return gatherAnimals(shop, query, { progress: () => {}, isCurrent: () => true, ...gathering });
}

describe('What is taken to paper or to a spreadsheet', () => {
  before(async () => {
    await client.setCategory(7n, { name: 'Kittens' });
    const pets = Array.from({ length: KITTENS }, (_, index) => ({
      name: `Kitten ${index + 1}`,
      categoryId: 7n,
    }));
    for (let from = 0; from < KITTENS; from += 100) await client.createPets(pets.slice(from, from + 100));
    for (let petId = 1n; petId <= SOLD; petId++) {
      const { id } = await client.createOrder({ petId, note: `buyer ${petId}` });
      await client.updateOrder(id, { status: 'completed' });
    }
    const { id: first } = await client.createOrder({ petId: 200n, note: 'cancelled' });
    await client.updateOrder(first, { status: 'cancelled' });
    await client.createOrder({ petId: 200n, note: 'for Ms Lee' });
  });

  it('is every animal once, newest first, with the order that has led to its status', async () => {
    const counts: number[] = [];
    const found = await gather({}, { progress: (count) => counts.push(count) });
    assert.deepEqual(
      found.map(({ animal }) => animal.id),
      Array.from({ length: KITTENS }, (_, index) => BigInt(KITTENS - index)),
    );
    assert.deepEqual(counts, [100, 200, KITTENS]);
    for (const { animal, order } of found) {
      const note = { available: undefined, pending: 'for Ms Lee', sold: `buyer ${animal.id}` }[animal.status];
      assert.equal(order?.note, note);
      assert.equal(order?.completedAt !== undefined, animal.status === 'sold');
    }
  });

  it('is in the order of the numbers where a name was searched for, although the category has it, too', async () => {
    const found = await gather({ text: 'kitten' });
    assert.deepEqual(
      found.map(({ animal }) => animal.name),
      Array.from({ length: KITTENS }, (_, index) => `Kitten ${index + 1}`),
    );
  });

  it('is not read to the end when it is not wanted any more', async () => {
    const found = await gather({}, { isCurrent: () => false });
    assert.equal(found.length, 100);
  });
});
