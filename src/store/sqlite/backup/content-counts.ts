import type { DatabaseSync } from 'node:sqlite';
import { keyTable } from '../keys.ts';
import { orderTable } from '../orders.ts';
import { petTable } from '../pets.ts';

const tables = { animals: petTable.name, orders: orderTable.name, keys: keyTable.name } as const;

type Content = keyof typeof tables;
/** What makes a store worth keeping, by number of rows. */
export type ContentCounts = Readonly<Record<Content, number>>;
type HighestIds = Readonly<Record<Content, bigint>>;

export const highestIds = (db: DatabaseSync): HighestIds => ofEachTable(db, () => 'coalesce(max(id), 0)');

/** The rows of each table; with `highest`, only those up to these ids. */
export function countRows(db: DatabaseSync, highest?: HighestIds): ContentCounts {
  const filter = (content: Content) => (highest ? `FILTER (WHERE id <= ${highest[content]})` : '');
  const { animals, orders, keys } = ofEachTable(db, (content) => `count(*) ${filter(content)}`);
  return { animals: Number(animals), orders: Number(orders), keys: Number(keys) };
}

/** The value of an expression over each table. A table that an old schema lacks counts as empty. */
function ofEachTable(db: DatabaseSync, expression: (content: Content) => string): HighestIds {
  const lookUp = (content: Content): bigint => {
    const table = tables[content];
    const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    if (!exists) return 0n;
    const statement = db.prepare(`SELECT ${expression(content)} AS value FROM ${table}`);
    statement.setReadBigInts(true);
    return statement.get()?.value as bigint;
  };
  return { animals: lookUp('animals'), orders: lookUp('orders'), keys: lookUp('keys') };
}
