import { StoreError } from '../../store.ts';
import { standbyError } from '../errors.ts';
import type { Db } from '../pool/connection.ts';

/** The rights that the statements of the store need. A table that does not exist yet is created by this role. */
const TABLES = {
  migrations: 'SELECT',
  pets: 'SELECT, INSERT, UPDATE, DELETE',
  removed_pets: 'SELECT, INSERT, UPDATE, DELETE',
  categories: 'SELECT, INSERT, UPDATE, DELETE',
  category_counter: 'SELECT, INSERT, UPDATE',
  former_category_ids: 'SELECT, INSERT',
  orders: 'SELECT, INSERT, UPDATE',
  events: 'SELECT, INSERT, DELETE',
  inventory: 'SELECT, INSERT, DELETE',
  category_inventory: 'SELECT, INSERT, UPDATE',
  category_changes: 'SELECT, INSERT, DELETE',
  api_keys: 'SELECT, INSERT, UPDATE',
  key_removals: 'SELECT',
  idempotency_keys: 'SELECT, INSERT, UPDATE, DELETE',
};

const NEEDED = [
  ...Object.entries(TABLES).flatMap(([table, rights]) =>
    rights.split(', ').map((right) => [right, table, 'has_table_privilege']),
  ),
  ['USAGE', 'pets_id_seq', 'has_sequence_privilege'],
  ['USAGE', 'orders_id_seq', 'has_sequence_privilege'],
  ['USAGE', 'removed_pets_removal_seq', 'has_sequence_privilege'],
].map(
  ([right, name, check]) =>
    `('${right} on ${name}', ${check}(to_regclass('animal_store.${name}'), '${right}'))`,
);

const STATE = `
  SELECT current_setting('transaction_read_only') = 'on' AS is_read_only,
    (SELECT string_agg(needed, ', ' ORDER BY needed) FROM (VALUES ${NEEDED.join(', ')}) AS rights (needed, granted) WHERE NOT granted) AS missing`;

/** Rejects unless the role may do everything that the service does, and the server accepts writes. */
export async function assertWritable(sql: Db): Promise<void> {
  const [state] = await sql.unsafe<[{ is_read_only: boolean; missing: string | null }]>(STATE);
  if (state.missing !== null)
    throw new StoreError(`the role lacks rights in the schema animal_store: ${state.missing}`);
  if (state.is_read_only) throw standbyError('the server is read-only');
}
