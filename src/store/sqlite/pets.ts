import type { DatabaseSync } from 'node:sqlite';
import { type Author, petContent } from '../../contract/event.ts';
import { nameKey } from '../../contract/name-key.ts';
import type { Inventory } from '../../contract/order.ts';
import {
  type NewPet,
  Pet,
  Pets,
  type PetUpdate,
  petHasOpenOrder,
  petJson,
  petNotFound,
  petsJson,
} from '../../contract/pet.ts';
import { assertMayChange, entityTag, type Precondition } from '../../contract/precondition.ts';
import type { Created, IdempotencyKey, Page, PetQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import type { RecordEvent } from './events.ts';
import type { Idempotency } from './idempotency.ts';
import { pageReader, searchReader } from './pages.ts';
import { defineTable, insertInto, itemById } from './table.ts';

export const petTable = defineTable(tables.pets);
const one = { schema: Pet, toJson: petJson };
const several = { schema: Pets, toJson: petsJson };

export function petReads(db: DatabaseSync) {
  const page = pageReader(db, petTable);
  const search = searchReader(db, petTable);
  const counts = db.prepare('SELECT status, pets FROM inventory');
  counts.setReadBigInts(true);

  return {
    listPets: (query: PetQuery): Page =>
      query.name === undefined && query.categoryId === undefined ? page(query) : search(query),
    getPet: itemById(db, petTable) as (id: bigint) => Pet | undefined,
    countPets: (): Inventory =>
      Object.fromEntries(counts.all().map(({ status, pets }) => [status, pets])) as unknown as Inventory,
  };
}

export function petActions(db: DatabaseSync, idempotency: Idempotency, record: RecordEvent) {
  const insert = insertInto(db, petTable, { generated: 'id' });
  const { petToChange, hasOpenOrder } = petChecks(db);
  const update = writeStatement(
    db,
    'UPDATE pets SET name = ?, category_id = ?, status = ?, folded_name = ? WHERE id = ?',
  );

  function create(newPet: NewPet, by: Author | undefined): Pet {
    const pet = { id: insert(newPet), ...newPet };
    record('pet.created', by, petContent(pet), pet.id);
    return pet;
  }

  return {
    createPet(pet: NewPet, idempotencyKey?: IdempotencyKey, by?: Author): Created<Pet> {
      return idempotency.run(idempotencyKey, one, () => create(pet, by));
    },
    createPets(pets: readonly NewPet[], idempotencyKey?: IdempotencyKey, by?: Author): Created<Pet[]> {
      return idempotency.run(idempotencyKey, several, () => pets.map((pet) => create(pet, by)));
    },
    updatePet(id: bigint, changes: PetUpdate, precondition?: Precondition, by?: Author): Pet {
      const old = petToChange(id, precondition);
      const pet = {
        id,
        name: changes.name ?? old.name,
        categoryId: changes.categoryId ?? old.categoryId,
        status: changes.status ?? old.status,
      };
      if (petJson(pet) === petJson(old)) return old;
      if (pet.status !== old.status && hasOpenOrder(id)) throw petHasOpenOrder();
      update.run(pet.name, pet.categoryId, pet.status, nameKey(pet.name), id);
      record('pet.updated', by, petContent(pet, old), id);
      return pet;
    },
  };
}

/** What must hold before an animal is changed or removed. */
export function petChecks(db: DatabaseSync) {
  const find = itemById(db, petTable);
  const openOrder = db.prepare("SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'");

  return {
    /** The animal as it is, if it exists and meets the precondition. */
    petToChange(id: bigint, precondition: Precondition | undefined): Pet {
      const pet = find(id);
      if (!pet) throw petNotFound();
      if (precondition) assertMayChange(precondition, entityTag(petJson(pet)));
      return pet;
    },
    hasOpenOrder: (petId: bigint): boolean => openOrder.get(petId) !== undefined,
  };
}
