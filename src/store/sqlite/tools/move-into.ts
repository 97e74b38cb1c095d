import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { filesOf, statIfExists, targetOf } from '../../database-files.ts';
import { closePartial, createPartial, partialOf, publish } from '../../partial-file.ts';
import { StoreError } from '../../store.ts';
import { ANY_CONTENT, copyAndVerify, type Dump, type DumpChunk, tableOfItems } from '../../tools/dump.ts';
import { COMMAND_BUSY_MS, makeDurable, openFile, withDatabase } from '../connection.ts';
import { cannotUse } from '../errors.ts';
import { migrate } from '../schema/migrate.ts';
import { defineTable, insertInto } from '../table.ts';
import { readChunks } from './move-from.ts';

/** A larger cache hardly makes the copy faster. */
const CACHE_KIB = 20_480;
/** That of every database of this program, which contains digests of API keys. */
const MODE = 0o600;

/**
 * Fills a partial file, which gets its name when it is complete, verified and on the disk. A process that is ended meanwhile leaves it, and the
 * next move into the same file replaces it.
 */
export async function createFromDump(path: string, dump: Dump): Promise<void> {
  let db: DatabaseSync | undefined;
  let descriptor: number | undefined;
  const to = targetOf(path);
  try {
    assertNew(path);
    mkdirSync(dirname(to), { recursive: true });
    descriptor = createPartial(to);
    db = openFile(partialOf(to));
    await fill(db, path, dump);
    publish(to, { descriptor, mode: MODE, overwrite: false });
  } catch (error) {
    throw cannotUse(path, error);
  } finally {
    db?.close();
    if (descriptor !== undefined) closePartial(to, descriptor);
  }
}

/** Writes are locked out only while it inserts. */
export function fillEmpty(path: string, content: readonly DumpChunk[], create: boolean): Promise<boolean> {
  return withDatabase(path, { create, busyMs: COMMAND_BUSY_MS }, (db) => {
    migrate(db, path);
    makeDurable(db, path);
    db.exec('BEGIN IMMEDIATE');
    if (db.prepare(ANY_CONTENT).get()) return false;
    for (const chunk of content) insert(db, chunk);
    db.exec('COMMIT');
    return true;
  });
}

/** SQLite would apply what another database of this name has left to the new one. */
function assertNew(path: string): void {
  const existing = filesOf(path).find(statIfExists);
  if (existing !== undefined) throw new StoreError(`${existing} exists: move into a new file`);
}

async function fill(db: DatabaseSync, path: string, dump: Dump): Promise<void> {
  db.exec(
    `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`,
  );
  migrate(db, path);
  db.exec('BEGIN EXCLUSIVE');
  await copyAndVerify(dump, { insert: (chunk) => insert(db, chunk), chunks: () => readChunks(db, path) });
  db.exec(`${CONTINUE_IDS}; COMMIT`);
}

function insert(db: DatabaseSync, { resource, items }: DumpChunk): void {
  const add = insertInto(db, defineTable(tableOfItems(resource)));
  for (const item of items) add(item);
}

/** SQLite continues after the greatest id that a table has had. The ids of removed animals belong to the same sequence as those of the others. */
const CONTINUE_IDS = `
  DELETE FROM sqlite_sequence WHERE name = 'pets';
  INSERT INTO sqlite_sequence (name, seq)
  SELECT 'pets', max(id) FROM (SELECT id FROM pets UNION ALL SELECT id FROM removed_pets) HAVING max(id) IS NOT NULL`;
