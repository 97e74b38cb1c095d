import type { Order } from '../../../contract/order.ts';
import type { Pet, RemovedPet } from '../../../contract/pet.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { allRowsOf, type TextRow } from '../reads/all-rows.ts';
import { removedPetTable } from '../removed-pets.ts';
import type { Loaded } from './loaded-rows.ts';
import { LOCK_CATEGORIES, TRY_LOCK_CATEGORIES } from './locks.ts';
import type { Needs } from './needs.ts';
import {
  categories,
  hasCategories,
  hasPets,
  hasRemoved,
  orders,
  PET_IDS,
  petIdsOf,
  readStatement,
  removedIdsOf,
  results,
} from './parts.ts';
import { pipeline } from './pipeline.ts';

const pets = allRowsOf(petTable);
const removed = allRowsOf(removedPetTable);

/** What to do about what another transaction has locked: leave it out, or wait for it. */
export type WhenLocked = 'skip' | 'wait';

/** Locks animals in the order of their ids, so that two batches never deadlock. */
const lockStatements = (categories: string, locking: string) => ({
  categories,
  pets: pets.inOne(`${petTable.select} WHERE id = ANY (${PET_IDS}) ORDER BY id ${locking}`),
  removed: removed.inOne(`${removedPetTable.select} WHERE id = ANY (${PET_IDS}) ORDER BY id ${locking}`),
});
const LOCKS = {
  skip: lockStatements(TRY_LOCK_CATEGORIES, 'FOR UPDATE SKIP LOCKED'),
  wait: lockStatements(LOCK_CATEGORIES, 'FOR UPDATE'),
};

interface ReadRow {
  readonly now: Date;
  readonly existing?: string[] | null;
  readonly existing_removed?: string[] | null;
  readonly deciding?: [petId: string, id: string, status: Order['status']][] | null;
  readonly orders?: TextRow[] | null;
  readonly results?: TextRow[] | null;
  readonly categories?: TextRow[] | null;
  readonly used?: string[] | null;
  readonly category_id?: string | null;
  readonly pet_ids?: string[] | null;
  readonly order_ids?: string[] | null;
}

/** What is locked: the writes about anything else are not decided. */
export interface Locked {
  /** Animals that exist and are not locked. */
  readonly missing: ReadonlySet<bigint>;
  readonly hasCategories: boolean;
}

/**
 * Begins a transaction, locks what the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now.
 */
export async function load(
  sql: Db,
  needs: Needs,
  whenLocked: WhenLocked,
): Promise<{ loaded: Loaded; locked: Locked }> {
  const statements = LOCKS[whenLocked];
  const send = (isNeeded: boolean, statement: string, values: string[] = []) =>
    isNeeded ? sql.unsafe(statement, values, { prepare: true }) : undefined;
  const read = readStatement(needs);
  const [, ofCategories, ofPets, ofRemoved, ofParts] = await pipeline([
    sql.unsafe('BEGIN'),
    send(hasCategories(needs), statements.categories),
    send(hasPets(needs), statements.pets, petIdsOf(needs)),
    send(hasRemoved(needs), statements.removed, removedIdsOf(needs)),
    sql.unsafe(read.sql, read.values, { prepare: true }),
  ]);
  const lockedPets = pets.itemsOf(ofPets?.[0]?.all_rows);
  const removedPets = removed.itemsOf(ofRemoved?.[0]?.all_rows);
  const row = ofParts?.[0] as unknown as ReadRow;
  const missing = [...notIn(lockedPets, row.existing), ...notIn(removedPets, row.existing_removed)];
  const locked = { missing: new Set(missing), hasCategories: ofCategories?.[0]?.locked === true };
  return { loaded: loadedFrom(row, lockedPets, removedPets), locked };
}

function notIn(locked: readonly Pet[], ids: readonly string[] | null | undefined): bigint[] {
  const isLocked = new Set(locked.map(({ id }) => id));
  return (ids ?? []).map(BigInt).filter((id) => !isLocked.has(id));
}

function loadedFrom(row: ReadRow, lockedPets: Pet[], removedPets: RemovedPet[]): Loaded {
  return {
    now: row.now,
    pets: lockedPets,
    removedPets,
    orders: orders.itemsOf(row.orders ?? null),
    deciding: (row.deciding ?? []).map(([petId, id, status]) => ({
      petId: BigInt(petId),
      id: BigInt(id),
      status,
    })),
    results: results.itemsOf(row.results ?? null),
    categories: categories.itemsOf(row.categories ?? null),
    usedCategoryIds: (row.used ?? []).map(BigInt),
    newPetIds: (row.pet_ids ?? []).map(BigInt),
    newOrderIds: (row.order_ids ?? []).map(BigInt),
    newCategoryId: row.category_id ? BigInt(row.category_id) : undefined,
  };
}
