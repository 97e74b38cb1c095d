import type { DatabaseSync } from 'node:sqlite';
import type { Inventory } from '../../contract/order.ts';
import { type NewPet, Pet, type PetStatus, petJson } from '../../contract/pet.ts';
import type { Created, Once, PetQuery } from '../store.ts';
import type { AtMostOnce } from './once.ts';
import { pageReader, type Row, rowStatement } from './pages.ts';

export const SELECT_PETS = 'SELECT id, name, category_id, status FROM pets';
const kept = { schema: Pet, toJson: petJson };

export function petReads(db: DatabaseSync) {
  const page = pageReader(db, SELECT_PETS);
  const one = rowStatement(db, 'SELECT name, category_id, status FROM pets WHERE id = ?');
  const counts = db.prepare('SELECT status, pets FROM inventory');
  counts.setReadBigInts(true);

  return {
    listPets: (query: PetQuery): Pet[] => page(query).map(petOf),
    getPet(id: bigint): Pet | undefined {
      const row = one.get(id) as unknown as Row | undefined;
      return row && petOf([id, ...row]);
    },
    countPets: (): Inventory =>
      Object.fromEntries(counts.all().map(({ status, pets }) => [status, pets])) as unknown as Inventory,
  };
}

export function petActions(db: DatabaseSync, atMostOnce: AtMostOnce) {
  const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)');
  insert.setReadBigInts(true);

  return {
    createPet(pet: NewPet, once?: Once): Created<Pet> {
      return atMostOnce.run(once, kept, () => {
        const { lastInsertRowid } = insert.run(pet.name, pet.categoryId, pet.status);
        return { id: BigInt(lastInsertRowid), ...pet };
      });
    },
  };
}

export function petOf([id, name, categoryId, status]: Row): Pet {
  return {
    id: id as bigint,
    name: name as string,
    categoryId: categoryId as bigint,
    status: status as PetStatus,
  };
}
