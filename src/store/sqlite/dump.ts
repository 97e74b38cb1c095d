import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import {
  type Counts,
  type DumpChunk,
  RESOURCES,
  type Resource,
  type StoreContent,
} from '../tools/dump-chunk.ts';
import { categoryTable } from './categories.ts';
import { connect } from './connection.ts';
import { cannotUse, primaryCode } from './errors.ts';
import { eventTable } from './events.ts';
import { resultTable } from './idempotency.ts';
import { keyTable } from './keys.ts';
import { migrate } from './migrate.ts';
import { orderTable } from './orders.ts';
import { petTable } from './pets.ts';
import { removedPetTable } from './removed-pets.ts';
import { type Row, rowStatement, type Table } from './table.ts';

const CHUNK_ROWS = 5000;
const SQLITE_BUSY = 5;

const tables: { readonly [R in Resource]: Table<StoreContent[R]> } = {
  pets: petTable,
  removedPets: removedPetTable,
  categories: categoryTable,
  orders: orderTable,
  keys: keyTable,
  idempotencyKeys: resultTable,
  events: eventTable,
};

interface Dump {
  readonly counts: Counts;
  readonly chunks: Iterable<DumpChunk>;
  close(): void;
}

/**
 * Reads everything in the file. Until `close`, no other process can open it, so that nothing is written to the old store
 * after it was copied; refuses a file that another process has open.
 */
export function openDump(path: string): Dump {
  let db: DatabaseSync | undefined;
  try {
    const opened = connect(path, { create: false });
    db = opened;
    lock(opened, path);
    return { counts: countsOf(opened), chunks: chunksOf(opened), close: () => opened.close() };
  } catch (error) {
    db?.close();
    throw cannotUse(path, error);
  }
}

/** An idle connection holds a shared lock on a file in WAL mode, which prevents an exclusive one. */
function lock(db: DatabaseSync, path: string): void {
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(db, path);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (primaryCode(error) !== SQLITE_BUSY) throw error;
    throw new StoreError(`the database ${path} is in use: stop the service, then move`, { cause: error });
  }
}

function countsOf(db: DatabaseSync): Counts {
  const count = (resource: Resource) =>
    Number(db.prepare(`SELECT count(*) AS count FROM ${tables[resource].name}`).get()?.count);
  return Object.fromEntries(RESOURCES.map((resource) => [resource, count(resource)])) as Counts;
}

function* chunksOf(db: DatabaseSync): Iterable<DumpChunk> {
  for (const resource of RESOURCES) {
    for (const items of itemsOf(db, tables[resource] as Table<unknown>))
      yield { resource, items } as unknown as DumpChunk;
  }
}

function* itemsOf<T>(db: DatabaseSync, { select, fromRow }: Table<T>): Iterable<T[]> {
  let items: T[] = [];
  for (const row of rowStatement(db, select).iterate()) {
    if (items.push(fromRow(row as unknown as Row)) < CHUNK_ROWS) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
