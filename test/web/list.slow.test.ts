import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AnimalStore, type ListedPet, type PetQuery } from '../../src/client/index.ts';
import { limits } from '../../src/contract/limits.ts';
import { List, PAGE } from '../../src/web/browser/console/data/list.ts';
import { KEY } from '../support/service.ts';
import { startServiceForFile } from '../support/shared.ts';

const service = await startServiceForFile();
const PET = { categoryId: 7n, status: 'available' } as const;
/** So many that the animals before them are on the third page of a search. */
const OTHERS = 2 * limits.lookedAt;

/** A list of animals as the console has it, and how many pages it has asked for. */
function listOf(shortPages?: number) {
  const store = new AnimalStore({ baseUrl: `${service.origin}/v1`, apiKey: KEY });
  const asked = { pages: 0 };
  const list = new List<ListedPet, PetQuery>(
    {},
    {
      page: (query) => {
        asked.pages++;
        return store.listPets(query);
      },
      lookUp: async (pets) => (await store.listPets({ id: pets.map(({ id }) => id) })).items,
      lookUps: 100,
      mayChange: () => true,
      ...(shortPages !== undefined && { shortPages }),
    },
  );
  const names = () => list.items.value?.map(({ name }) => name);
  return { list, asked, names };
}

describe('A list of the console', () => {
  before(async () => {
    await service.store.createPets(
      [...Array(PAGE).keys(), 'Björn'].map((one) => ({ ...PET, name: `Deep ${one}` })),
    );
    const others = Array.from({ length: 5000 }, (_, index) => ({ ...PET, name: `Animal ${index}` }));
    for (let added = 0; added < OTHERS; added += others.length) await service.store.createPets(others);
  });

  it('finds an animal whose page of the search comes after empty ones', async () => {
    const { list, names } = listOf();
    await list.open({ name: 'bjorn' });
    assert.deepEqual(names(), ['Deep Björn']);
    assert.equal(list.next.value, undefined);
  });

  it('is full although pages before were empty, and shows the rest on demand', async () => {
    const { list, names } = listOf();
    await list.open({ name: 'deep' });
    assert.equal(names()?.length, PAGE);
    assert.equal(names()?.at(0), 'Deep Björn');
    await list.more();
    assert.equal(names()?.length, PAGE + 1);
    assert.equal(list.next.value, undefined);
  });

  it('ends a search after some short pages, says that there are more, and goes on when asked', async () => {
    const { list, names, asked } = listOf(1);
    await list.open({ name: 'bjorn' });
    assert.deepEqual([names(), asked.pages], [[], 2]);
    assert.notEqual(list.next.value, undefined, 'nothing was found so far');
    await list.more();
    assert.deepEqual(names(), ['Deep Björn']);
  });

  it('that is empty looks at one page again for what is new', async () => {
    const { list, names, asked } = listOf();
    await list.open({ name: 'newest' });
    assert.deepEqual([names(), list.next.value], [[], undefined]);
    const { pages } = asked;
    await list.refresh();
    assert.deepEqual([names(), list.next.value, asked.pages], [[], undefined, pages + 1]);
    await service.store.createPet({ ...PET, name: 'The newest' }, undefined);
    await list.refresh();
    assert.deepEqual(names(), ['The newest']);
  });

  it('keeps what was found on a later page while it is up to date, and counts what is new', async () => {
    const { list, names } = listOf();
    await list.open({ name: 'BJÖRN' });
    await service.store.updatePet(BigInt(PAGE + 1), { status: 'sold' });
    await list.refresh();
    assert.equal(list.items.value?.[0]?.status, 'sold');
    assert.equal(list.news.value, 0);
    await service.store.createPet({ ...PET, name: 'bjorn the second' }, undefined);
    await list.refresh();
    assert.deepEqual([names(), list.news.value], [['Deep Björn'], 1]);
    await list.showNews();
    assert.deepEqual(names(), ['bjorn the second', 'Deep Björn']);
  });

  it('shows that a field is gone', async () => {
    const { list } = listOf();
    const id = 1n;
    await service.store.removePet(id, 'died');
    await list.open({ removed: true });
    assert.equal(list.items.value?.[0]?.reason, 'died');
    await service.store.restorePet(id);
    await list.refresh();
    assert.deepEqual(list.items.value, [{ id, name: 'Deep 0', ...PET }]);
  });
});
