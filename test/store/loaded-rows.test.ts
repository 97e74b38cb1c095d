import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/contract/errors.ts';
import { actionsOn } from '../../src/store/actions.ts';
import { type Loaded, LoadedRows } from '../../src/store/postgres/writer/loaded-rows.ts';
import { categoryIn } from '../support/service/created.ts';

/** The code of the refusal. */
function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return 'ok';
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i + 1));

/** The rows of a batch on an empty store, or one that has this. */
const rowsOf = (loaded: Partial<Loaded> = {}) =>
  new LoadedRows({
    now: new Date(),
    pets: [],
    removedPets: [],
    orders: [],
    deciding: [],
    results: [],
    categories: [],
    inventory: [],
    newPetIds: ids(5),
    newOrderIds: ids(5),
    newCategoryIds: ids(20_001),
    ...loaded,
  });
const batch = (loaded?: Partial<Loaded>) => actionsOn(rowsOf(loaded));

/** What one write of a batch on PostgreSQL changes, the next one sees, before anything is stored. */
describe('The rows of a batch', () => {
  it('do not remove a category that an animal of the same batch uses', () => {
    const actions = batch({ categories: [{ id: 7n, name: 'Dogs' }] });
    actions.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
    assert.equal(
      code(() => actions.removeCategory(7n)),
      'category_in_use',
    );
  });

  it('give a new category no identifier that an animal or a category of the same batch uses', () => {
    const actions = batch();
    actions.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    actions.setCategory({ id: 2n, name: 'Cats' });
    assert.equal(categoryIn(actions.createCategory({ name: 'Dogs' })).id, 3n);
    assert.equal(categoryIn(actions.createCategory({ name: 'Birds' })).id, 4n);
    assert.equal(
      code(() => actions.createCategory({ name: 'BIRDS' })),
      'category_exists',
    );
  });

  it('give a new category no identifier that a category of the same batch had', () => {
    const actions = batch();
    actions.setCategory({ id: 1n, name: 'Cats' });
    actions.removeCategory(1n);
    assert.equal(categoryIn(actions.createCategory({ name: 'Dogs' })).id, 2n);
  });

  it('give a new category an identifier without a look at every animal of the batch', () => {
    const rows = rowsOf({ newPetIds: ids(20_000) });
    const actions = actionsOn(rows);
    rows.pets.values = () => assert.fail('all animals are read');
    actions.createPets(ids(20_000).map((categoryId) => ({ name: 'Rex', categoryId, status: 'available' })));
    assert.equal(categoryIn(actions.createCategory({ name: 'Dogs' })).id, 20_001n);
    assert.equal(rows.lastCategoryId, 20_001n);
  });
});
