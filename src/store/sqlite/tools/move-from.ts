import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import {
  type Counts,
  type DumpChunk,
  RESOURCES,
  type Resource,
  type StoreContent,
  tables,
} from '../../tables.ts';
import { connect } from '../connection.ts';
import { cannotUse, isBusy } from '../errors.ts';
import { migrate } from '../schema/migrate.ts';
import { defineTable, type Row, rowStatement } from '../table.ts';

const CHUNK_ROWS = 5000;

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
    migrate(db, path, { upgrade: true });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!isBusy(error)) throw error;
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
    for (const items of itemsOf(db, resource)) yield { resource, items } as unknown as DumpChunk;
  }
}

function* itemsOf<R extends Resource>(db: DatabaseSync, resource: R): Iterable<StoreContent[R][]> {
  const { select, fromRow } = defineTable(tables[resource]);
  let items: StoreContent[R][] = [];
  for (const row of rowStatement(db, select).iterate()) {
    if (items.push(fromRow(row as unknown as Row)) < CHUNK_ROWS) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
