import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AnimalStore } from '../../src/client/index.ts';
import { limits } from '../../src/contract/limits.ts';
import { Api } from '../../src/web/browser/console/data/api.ts';
import { PAGE } from '../../src/web/browser/console/data/list/list.ts';
import { Shop } from '../../src/web/browser/console/data/shop.ts';
import { KEY } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';

const service = await startServiceForFile();
const PET = { categoryId: 7n, status: 'available' } as const;
/** So many that the animals before them are on the third page of a search. */
const OTHERS = 2 * limits.lookedAt;

/** The list of animals as the console has it. */
async function openList(text: string) {
  const client = new AnimalStore({ baseUrl: `${service.origin}/v1`, apiKey: KEY });
  const api = new Api({ client, key: await client.getCurrentKey() }, new AbortController().signal);
  const { animalList: list } = new Shop(api);
  await list.open({ text });
  return { list, names: () => list.items.value?.map(({ name }) => name) };
}

describe('A search in a long list of the console', () => {
  before(async () => {
    await service.store.createPets(
      [...Array(PAGE).keys(), 'Björn'].map((one) => ({ ...PET, name: `Deep ${one}` })),
    );
    const others = Array.from({ length: 5000 }, (_, index) => ({ ...PET, name: `Animal ${index}` }));
    for (let added = 0; added < OTHERS; added += others.length) await service.store.createPets(others);
  });

  it('finds an animal whose page of the search comes after empty ones', async () => {
    const { list, names } = await openList('bjorn');
    assert.deepEqual(names(), ['Deep Björn']);
    assert.equal(list.next.value, undefined);
  });

  it('is full although pages before were empty, and shows the rest on demand', async () => {
    const { list, names } = await openList('deep');
    assert.equal(names()?.length, PAGE);
    await list.more();
    assert.equal(names()?.length, PAGE + 1);
    assert.equal(list.next.value, undefined);
  });

  it('keeps what was found on a later page up to date, and counts what is new', async () => {
    const { list, names } = await openList('BJÖRN');
    await service.store.updatePet(BigInt(PAGE + 1), { status: 'sold' });
    await list.refresh();
    assert.equal(list.items.value?.[0]?.status, 'sold');
    assert.equal(list.unseen.value, 0);
    await service.store.createPet({ ...PET, name: 'bjorn the second' }, undefined);
    await list.refresh();
    assert.deepEqual([names(), list.unseen.value], [['Deep Björn'], 1]);
    await list.showUnseen();
    assert.deepEqual(new Set(names()), new Set(['bjorn the second', 'Deep Björn']));
  });
});
