import type { DatabaseSync } from 'node:sqlite';
import { tables } from '../../tables.ts';

/** What makes a store worth keeping, by number of rows. */
export interface ContentCounts {
  readonly animals: number;
  readonly removedAnimals: number;
  readonly orders: number;
  readonly keys: number;
}

/** A table that the schema lacks counts as empty. */
export function countContent(db: DatabaseSync): ContentCounts {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const count = ({ name }: { readonly name: string }): number =>
    exists.get(name) ? Number(db.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows) : 0;
  return {
    animals: count(tables.pets),
    removedAnimals: count(tables.removedPets),
    orders: count(tables.orders),
    keys: count(tables.keys),
  };
}
