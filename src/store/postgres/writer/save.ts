import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../../store.ts';
import { categoryTable, SET_LAST_CATEGORY_ID } from '../categories.ts';
import { eventTable } from '../events.ts';
import { resultTable } from '../idempotency.ts';
import { orderTable } from '../orders.ts';
import { petTable, removalTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import type { Table } from '../table.ts';
import { arrayOf, columnArrays } from '../table.ts';
import { type Changed, type LoadedRows, nameOf } from './loaded-rows.ts';
import { LAST_EVENT, LOCK_EVENTS } from './locks.ts';
import { pipeline } from './pipeline.ts';

interface Statement {
  readonly sql: string;
  readonly values: string[];
}

function insert<T, Generated extends keyof T = never>(
  table: Table<T>,
  items: readonly Omit<T, Generated>[],
  generated?: Generated,
): Statement[] {
  if (items.length === 0) return [];
  const { list, placeholders, values } = columnArrays(table, items, generated);
  return [{ sql: `INSERT INTO ${table.name} (${list}) SELECT * FROM unnest(${placeholders})`, values }];
}

/** Sets every column of rows that exist; a `fixed` one never changes. */
export function update<T extends { readonly id: bigint | string }>(
  table: Table<T>,
  items: readonly T[],
  fixed?: keyof T,
): Statement[] {
  if (items.length === 0) return [];
  const { name } = table;
  const { list, placeholders, values } = columnArrays(table, items, fixed);
  const set = list.split(', ').filter((column) => column !== 'id');
  return [
    {
      sql: `UPDATE ${name} SET ${set.map((column) => `${column} = given.${column}`).join(', ')}
        FROM unnest(${placeholders}) AS given (${list}) WHERE ${name}.id = given.id`,
      values,
    },
  ];
}

const remove = (table: string, ids: readonly bigint[]): Statement[] =>
  ids.length === 0
    ? []
    : [{ sql: `DELETE FROM ${table} WHERE id = ANY ($1::int8[])`, values: [arrayOf(ids)] }];

/** What has changed of some items, in the order of their ids. */
function changesOf<T extends { readonly id: bigint }>(items: Map<bigint, Changed<T>>) {
  const added: T[] = [];
  const changed: T[] = [];
  const removed: bigint[] = [];
  for (const [id, { stored, current }] of [...items].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (current && !stored) added.push(current);
    else if (current && current !== stored) changed.push(current);
    else if (stored && !current) removed.push(id);
  }
  return { added, changed, removed };
}

function petStatements({ pets, removedPets }: LoadedRows): Statement[] {
  const inventory = changesOf(pets);
  const { added, changed, removed } = changesOf(removedPets);
  // An animal that was restored and removed again gets a new number of its removal.
  const again = changed.map(({ id }) => id);
  return [
    ...remove('removed_pets', [...removed, ...again]),
    ...remove('pets', inventory.removed),
    ...update(petTable, inventory.changed),
    ...insert(petTable, inventory.added),
    ...insert(removalTable, [...added, ...changed], 'removal'),
  ];
}

/** First the orders that stop being `placed`, then those that become `placed`: an animal has at most one of them. */
function orderStatements({ orders }: LoadedRows): Statement[] {
  const { added, changed } = changesOf(orders);
  const { placed = [], others = [] } = Object.groupBy(changed, ({ status }) =>
    status === 'placed' ? status : 'others',
  );
  return [...update(orderTable, others), ...update(orderTable, placed), ...insert(orderTable, added)];
}

function categoryStatements({ categoryWrites, lastCategoryId }: LoadedRows): Statement[] {
  const changes = categoryWrites.flatMap((write) => {
    if (write.kind === 'remove') return remove('categories', [write.id]);
    const { kind, category } = write;
    return kind === 'add' ? insert(categoryTable, [category]) : update(categoryTable, [category]);
  });
  if (lastCategoryId === undefined) return changes;
  return [{ sql: SET_LAST_CATEGORY_ID, values: [`${lastCategoryId}`] }, ...changes];
}

/**
 * Only a key that has expired is replaced. A key that another instance is storing waits for its commit, and then fails the batch, which finds it
 * when it is tried again: all are stored in one order, so that no two instances wait for each other.
 */
function resultStatements(rows: LoadedRows): Statement[] {
  const { expired } = rows;
  const results = rows.results.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const expiry = new Date(rows.now().getTime() - IDEMPOTENCY_KEY_LIFETIME_MS);
  const columns = [arrayOf(expired.map(({ owner }) => owner)), arrayOf(expired.map(({ key }) => key))];
  const forget = {
    sql: 'DELETE FROM idempotency_keys USING unnest($1::text[], $2::text[]) AS given (owner, key) WHERE idempotency_keys.owner = given.owner AND idempotency_keys.key = given.key AND created_at <= $3::timestamptz',
    values: [...columns, expiry.toISOString()],
  };
  return [...(expired.length > 0 ? [forget] : []), ...insert(resultTable, results)];
}

function eventStatement({ events }: LoadedRows): Statement {
  const { list, placeholders, values } = columnArrays(eventTable, events, 'id');
  return {
    sql: `INSERT INTO events (id, ${list}) SELECT ${LAST_EVENT} + place, ${list}
      FROM unnest(${placeholders}) WITH ORDINALITY AS event (${list}, place)`,
    values,
  };
}

/**
 * Writes what has changed, numbers the events and commits, in one round trip. Resolves when everything is stored. When a statement fails, the
 * server answers the COMMIT that was sent after it with a rollback.
 */
export async function save(sql: Db, rows: LoadedRows): Promise<void> {
  if (rows.events.length === 0 && rows.results.length === 0) {
    await sql.unsafe('ROLLBACK');
    return;
  }
  const changes = [
    ...resultStatements(rows),
    ...categoryStatements(rows),
    ...orderStatements(rows),
    ...petStatements(rows),
  ];
  const send = ({ sql: text, values }: Statement) => sql.unsafe(text, values, { prepare: true });
  const lock = send({ sql: LOCK_EVENTS, values: [] });
  await pipeline([...changes.map(send), lock, send(eventStatement(rows)), sql.unsafe('COMMIT')], lock);
}
