import type { DatabaseSync } from 'node:sqlite';
import { nameKey } from '../../contract/name-key.ts';
import type { Inventory } from '../../contract/order.ts';
import { type NewPet, Pet, petJson } from '../../contract/pet.ts';
import type { Created, IdempotencyKey, Page, PetQuery } from '../store.ts';
import type { Idempotency } from './idempotency.ts';
import { namePageReader, pageReader } from './pages.ts';
import { defineTable, insertInto, integer, type Row, rowStatement, text } from './table.ts';

export const petTable = defineTable<Pet>(
  'pets',
  {
    id: integer('id'),
    name: text('name'),
    categoryId: integer('category_id'),
    status: text('status'),
  },
  [{ name: 'name_key', value: ({ name }) => nameKey(name) }],
);
const result = { schema: Pet, toJson: petJson };

export function petReads(db: DatabaseSync) {
  const page = pageReader(db, petTable);
  const byName = namePageReader(db, petTable);
  const one = rowStatement(db, `${petTable.select} WHERE id = ?`);
  const counts = db.prepare('SELECT status, pets FROM inventory');
  counts.setReadBigInts(true);

  return {
    listPets: (query: PetQuery): Page =>
      query.name === undefined ? page(query) : byName({ ...query, name: query.name }),
    getPet(id: bigint): Pet | undefined {
      const row = one.get(id) as unknown as Row | undefined;
      return row && petTable.fromRow(row);
    },
    countPets: (): Inventory =>
      Object.fromEntries(counts.all().map(({ status, pets }) => [status, pets])) as unknown as Inventory,
  };
}

export function petActions(db: DatabaseSync, idempotency: Idempotency) {
  const insert = insertInto(db, petTable, { generated: 'id' });

  return {
    createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Created<Pet> {
      return idempotency.run(idempotencyKey, result, () => ({ id: insert(pet), ...pet }));
    },
  };
}
