import { IDEMPOTENCY_KEY_LIFETIME_MS, type StoredResult } from '../../store.ts';
import { categoryTable, SET_LAST_CATEGORY_ID } from '../categories.ts';
import { eventTable } from '../events.ts';
import { resultTable } from '../idempotency.ts';
import { orderTable } from '../orders.ts';
import { petTable, removalTable } from '../pets.ts';
import { COMMIT, type Db, type Statement } from '../pool/connection.ts';
import { arrayOf, columnsOf, insertInto, updateIn } from '../table.ts';
import { IN_TRANSACTION } from '../transaction.ts';
import type { Changed, LoadedRows } from './loaded-rows.ts';
import { LAST_EVENT, lockEvents } from './locks.ts';

const insertPets = insertInto(petTable);
const insertRemovals = insertInto(removalTable, 'removal');
const insertOrders = insertInto(orderTable);
export const insertCategories = insertInto(categoryTable);
const insertResults = insertInto(resultTable);
export const updatePets = updateIn(petTable);
const updateOrders = updateIn(orderTable);
const updateCategories = updateIn(categoryTable);
const deleteFrom = (table: string) => (ids: readonly bigint[]) => ({
  text: `DELETE FROM ${table} WHERE id = ANY ($1::int8[]) AND ${IN_TRANSACTION}`,
  values: [arrayOf(ids)],
});

const ifAny = <T>(items: readonly T[], statementFor: (items: readonly T[]) => Statement) =>
  items.length > 0 && statementFor(items);

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

type Statements = (Statement | false)[];

function petStatements({ pets, removedPets }: LoadedRows): Statements {
  const inventory = changesOf(pets);
  const { added, changed, removed } = changesOf(removedPets);
  // An animal that was restored and removed again gets a new number of its removal.
  const again = changed.map(({ id }) => id);
  return [
    ifAny([...removed, ...again], deleteFrom('removed_pets')),
    ifAny(inventory.removed, deleteFrom('pets')),
    ifAny(inventory.changed, updatePets),
    ifAny(inventory.added, insertPets),
    ifAny([...added, ...changed], insertRemovals),
  ];
}

/** First the orders that stop being `placed`, then those that become `placed`: an animal has at most one of them. */
function orderStatements({ orders }: LoadedRows): Statements {
  const { added, changed } = changesOf(orders);
  const { placed = [], others = [] } = Object.groupBy(changed, ({ status }) =>
    status === 'placed' ? status : 'others',
  );
  return [ifAny(others, updateOrders), ifAny(placed, updateOrders), ifAny(added, insertOrders)];
}

function categoryStatements({ categoryChanges, lastCategoryId }: LoadedRows): Statements {
  const changes = categoryChanges.map(({ id, stored, current }) => {
    if (!current) return deleteFrom('categories')([id]);
    return (stored ? updateCategories : insertCategories)([current]);
  });
  return [
    lastCategoryId !== undefined && { text: SET_LAST_CATEGORY_ID, values: [`${lastCategoryId}`] },
    ...changes,
  ];
}

/** Only a key that has expired is replaced. */
function resultStatements(rows: LoadedRows): Statements {
  const expiry = new Date(rows.now().getTime() - IDEMPOTENCY_KEY_LIFETIME_MS).toISOString();
  const forget = (expired: readonly StoredResult[]) => ({
    text: `DELETE FROM idempotency_keys USING unnest($1::text[], $2::text[]) AS given (owner, key)
      WHERE idempotency_keys.owner = given.owner AND idempotency_keys.key = given.key AND created_at <= $3::timestamptz AND ${IN_TRANSACTION}`,
    values: [arrayOf(expired.map(({ owner }) => owner)), arrayOf(expired.map(({ key }) => key)), expiry],
  });
  return [ifAny(rows.expired, forget), ifAny(rows.results, insertResults)];
}

const eventColumns = columnsOf(eventTable, 'id');
const INSERT_EVENTS = `
  INSERT INTO events (id, ${eventColumns.list}) SELECT ${LAST_EVENT} + place, ${eventColumns.list}
  FROM unnest(${eventColumns.placeholders}) WITH ORDINALITY AS event (${eventColumns.list}, place) WHERE ${IN_TRANSACTION}`;

/** Writes WAL with a transaction number, so that the commit waits for a synchronous standby. Changes nothing. */
const MARK = { text: "SELECT pg_logical_emit_message(true, 'animal-store', '')", values: [] };

/**
 * Writes what has changed, numbers the events and commits, in one round trip. Resolves when everything is stored. When a statement fails, the
 * server answers the COMMIT that was sent after it with a rollback.
 *
 * What was answered from the rows alone, such as a replay, may not be on a standby yet: the commit that it came from may still wait for one.
 * So it commits as well, and is as safe then as the first answer.
 */
export async function save(sql: Db, rows: LoadedRows, hasAnswers = true, lockMs?: number): Promise<void> {
  if (rows.events.length > 0 || rows.results.length > 0) {
    const changes = [resultStatements, categoryStatements, orderStatements, petStatements];
    await sql.together([
      ...changes.flatMap((statementsOf) => statementsOf(rows)),
      lockEvents(lockMs),
      { text: INSERT_EVENTS, values: eventColumns.valuesOf(rows.events) },
      COMMIT,
    ]);
  } else if (hasAnswers) {
    await sql.together([MARK, COMMIT]);
  } else {
    await sql.query('ROLLBACK');
  }
}
