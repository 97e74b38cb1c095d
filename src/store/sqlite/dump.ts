import type { StatementSync } from 'node:sqlite';
import type { KeptOnce, Portion } from '../portion.ts';
import { connect } from './connection.ts';
import { keyReads } from './keys.ts';
import { migrate } from './migrate.ts';
import { orderOf, SELECT_ORDERS } from './orders.ts';
import { type Row, rowStatement } from './pages.ts';
import { petOf, SELECT_PETS } from './pets.ts';

const AT_ONCE = 5000;

/** All that the file holds, as of one moment. */
export function* dump(path: string): Iterable<Portion> {
  const db = connect(path, { create: false });
  try {
    migrate(db, path);
    db.exec('BEGIN');
    for (const rows of portions<Row>(rowStatement(db, `${SELECT_PETS} ORDER BY id`)))
      yield { pets: rows.map(petOf) };
    for (const rows of portions<Row>(rowStatement(db, `${SELECT_ORDERS} ORDER BY id`)))
      yield { orders: rows.map(orderOf) };
    yield { keys: keyReads(db).listKeys() };
    for (const rows of portions<OnceRow>(db.prepare('SELECT * FROM idempotency_keys')))
      yield { onces: rows.map(onceOf) };
  } finally {
    db.close();
  }
}

function* portions<R>(statement: StatementSync): Iterable<R[]> {
  let rows: R[] = [];
  for (const row of statement.iterate()) {
    if (rows.push(row as R) < AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

type OnceRow = Record<'owner' | 'key' | 'fingerprint' | 'result', string> & { created_at: number };

function onceOf({ owner, key, fingerprint, result, created_at }: OnceRow): KeptOnce {
  return { owner, key, fingerprint, result, createdAt: new Date(created_at) };
}
