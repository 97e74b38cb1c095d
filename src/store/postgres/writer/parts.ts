import { INT64_MIN } from '../../../contract/int64.ts';
import { categoryTable, freeCategoryIds, valuesOfFreeIds } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { orderTable } from '../orders.ts';
import { allRowsOf, type Value } from '../reads/all-rows.ts';
import { arrayOf } from '../table.ts';
import type { Needs } from './needs.ts';

export const orders = allRowsOf(orderTable);
export const results = allRowsOf(resultTable);
export const categories = allRowsOf(categoryTable);

/** The animals themselves and those of the orders. An order always belongs to the same animal. */
export const PET_IDS =
  'ARRAY(SELECT unnest($1::int8[]) UNION SELECT pet_id FROM orders WHERE id = ANY ($2::int8[]))';

export const hasPets = ({ petIds, orderIds }: Needs): boolean => petIds.size + orderIds.size > 0;
/** The note of an order can change after its animal was removed: then the removed animal is what is locked. */
export const hasRemoved = ({ removedIds, orderIds }: Needs): boolean => removedIds.size + orderIds.size > 0;
export const hasCategories = ({ categoryIds, categoryDigests }: Needs): boolean =>
  categoryIds.size + categoryDigests.size > 0;
export const petIdsOf = ({ petIds, orderIds }: Needs): string[] => [
  arrayOf([...petIds]),
  arrayOf([...orderIds]),
];
export const removedIdsOf = ({ removedIds, orderIds }: Needs): string[] => [
  arrayOf([...removedIds]),
  arrayOf([...orderIds]),
];

/** A part of the statement that reads what depends on the locked rows: a column of its only row. */
interface Part {
  readonly name: string;
  readonly isNeeded: (needs: Needs) => boolean;
  /** Its parameters are `$1`, `$2`, …; in the whole statement they are numbered after those of the parts before it. */
  readonly sql: string;
  readonly values: (needs: Needs) => Value[];
}

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string): string =>
  `SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`;

const newIds = (sequence: string): string =>
  `SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, $1::int8)`;

const PARTS: readonly Part[] = [
  { name: 'existing', isNeeded: hasPets, sql: existing('pets', PET_IDS), values: petIdsOf },
  {
    name: 'existing_removed',
    isNeeded: hasRemoved,
    sql: existing('removed_pets', PET_IDS),
    values: removedIdsOf,
  },
  {
    name: 'deciding',
    isNeeded: hasPets,
    sql: `
      SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
      CROSS JOIN LATERAL (
        SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
        UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`,
    values: petIdsOf,
  },
  {
    name: 'orders',
    isNeeded: ({ orderIds }) => orderIds.size > 0,
    sql: orders.inOne(`${orderTable.select} WHERE id = ANY ($1::int8[])`),
    values: ({ orderIds }) => [arrayOf([...orderIds])],
  },
  {
    name: 'results',
    isNeeded: ({ keys }) => keys.length > 0,
    sql: results.inOne(
      `SELECT ${resultTable.list} FROM idempotency_keys
       JOIN unnest($1::text[], $2::text[]) AS given (owner, key) USING (owner, key)`,
    ),
    values: ({ keys }) => [arrayOf(keys.map(({ owner }) => owner)), arrayOf(keys.map(({ key }) => key))],
  },
  {
    name: 'categories',
    isNeeded: hasCategories,
    sql: categories.inOne(
      `${categoryTable.select} WHERE id = ANY ($1::int8[]) OR name_digest = ANY ($2::text[])`,
    ),
    values: ({ categoryIds, categoryDigests }) => [arrayOf([...categoryIds]), arrayOf([...categoryDigests])],
  },
  {
    name: 'used',
    isNeeded: ({ categoryIds }) => categoryIds.size > 0,
    sql: `
      SELECT json_agg(given::text) FROM unnest($1::int8[]) AS given
      WHERE given = (SELECT category_id FROM pets WHERE (category_id, status, id) >= (given, '', ${INT64_MIN})
        ORDER BY category_id, status, id LIMIT 1)`,
    values: ({ categoryIds }) => [arrayOf([...categoryIds])],
  },
  {
    name: 'category_id',
    isNeeded: ({ newCategories }) => newCategories > 0,
    sql: `SELECT ${freeCategoryIds()}::text`,
    // Each write of the batch may use one that a new category then skips.
    values: ({ newCategories, categoryIds, newPets, moves }) =>
      valuesOfFreeIds(newCategories + categoryIds.size + newPets + moves),
  },
  {
    name: 'pet_ids',
    isNeeded: ({ newPets }) => newPets > 0,
    sql: newIds('pets_id_seq'),
    values: ({ newPets }) => [newPets],
  },
  {
    name: 'order_ids',
    isNeeded: ({ newOrders }) => newOrders > 0,
    sql: newIds('orders_id_seq'),
    values: ({ newOrders }) => [newOrders],
  },
];

const NOW = "date_trunc('milliseconds', clock_timestamp()) AS now";
const statements = new Map<string, string>();

/** The statement that reads the needed parts, with its values. Each combination of parts is prepared once per connection. */
export function readStatement(needs: Needs): { readonly sql: string; readonly values: Value[] } {
  const parts = PARTS.filter(({ isNeeded }) => isNeeded(needs));
  const given = parts.map(({ values }) => values(needs));
  const key = parts.map(({ name }) => name).join();
  const sql = statements.get(key) ?? combined(parts, given);
  statements.set(key, sql);
  return { sql, values: given.flat() };
}

function combined(parts: readonly Part[], given: readonly Value[][]): string {
  let before = 0;
  const columns = parts.map(({ name, sql }, i) => {
    const start = before;
    before += given[i]?.length ?? 0;
    return `(${sql.replaceAll(/\$(\d)/g, (_, n) => `$${start + Number(n)}`)}) AS ${name}`;
  });
  return `SELECT ${[NOW, ...columns].join(', ')}`;
}
