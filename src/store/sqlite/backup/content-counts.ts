import type { DatabaseSync } from 'node:sqlite';
import { tables } from '../../tables.ts';

const { pets, removedPets, orders, keys } = tables;

/** What makes a store worth keeping, by number of rows. */
export interface ContentCounts {
  readonly animals: number;
  readonly removedAnimals: number;
  readonly orders: number;
  readonly keys: number;
}

export function countContent(db: DatabaseSync): ContentCounts {
  const count = (table: string) => Number(valueOver(db, [table], 'count(*)'));
  return {
    animals: count(pets.name),
    removedAnimals: count(removedPets.name),
    orders: count(orders.name),
    keys: count(keys.name),
  };
}

/** The tables that together have a row for each thing there ever was. An animal that is removed moves to another table. */
const everything = [[pets.name, removedPets.name], [orders.name], [keys.name]] as const;

/** The highest id of each kind of thing. Ids only grow. */
export const highestIds = (db: DatabaseSync): bigint[] =>
  everything.map((names) => valueOver(db, names, 'coalesce(max(id), 0)'));

/** How many things of each kind have an id up to the given one. That never changes, because no row disappears for good. */
export const countUpTo = (db: DatabaseSync, highest: readonly bigint[]): bigint[] =>
  everything.map((names, i) => valueOver(db, names, `count(*) FILTER (WHERE id <= ${highest[i]})`));

/** The value of an expression over the ids in these tables. A table that an old schema lacks counts as empty. */
function valueOver(db: DatabaseSync, names: readonly string[], expression: string): bigint {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const ids = names.filter((table) => exists.get(table)).map((table) => `SELECT id FROM ${table}`);
  if (ids.length === 0) return 0n;
  const statement = db.prepare(`SELECT ${expression} AS value FROM (${ids.join(' UNION ALL ')})`);
  statement.setReadBigInts(true);
  return statement.get()?.value as bigint;
}
