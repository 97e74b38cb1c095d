import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { KeptOnce, Portion } from '../move.ts';
import { StoreError } from '../store.ts';
import { connect } from './connection.ts';
import { keyOf } from './keys.ts';
import { migrate } from './migrate.ts';
import { orderOf } from './orders.ts';
import type { Row } from './pages.ts';
import { petOf } from './pets.ts';

const AT_ONCE = 5000;

/** All that the file holds, as of one moment. */
export function* dump(path: string): Iterable<Portion> {
  if (!existsSync(path)) throw new StoreError(`there is no database ${path}`);
  const db = connect(path);
  try {
    migrate(db, path);
    db.exec('BEGIN');
    for (const rows of portions(db, 'SELECT * FROM pets ORDER BY id', true)) yield { pets: rows.map(petOf) };
    for (const rows of portions(db, 'SELECT * FROM orders ORDER BY id', true))
      yield { orders: rows.map(orderOf) };
    for (const rows of portions(db, 'SELECT * FROM api_keys ORDER BY id', false))
      yield { keys: rows.map(keyOf) };
    for (const rows of portions(db, 'SELECT * FROM idempotency_keys', false))
      yield { onces: rows.map(onceOf) };
  } finally {
    db.close();
  }
}

function* portions(db: DatabaseSync, query: string, bigints: boolean): Iterable<Row[]> {
  const statement = db.prepare(query);
  statement.setReadBigInts(bigints);
  let rows: Row[] = [];
  for (const row of statement.iterate()) {
    if (rows.push(row) < AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function onceOf(row: Row): KeptOnce {
  return {
    owner: row.owner as string,
    key: row.key as string,
    fingerprint: row.fingerprint as string,
    result: row.result as string,
    createdAt: new Date(row.created_at as number),
  };
}
