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
  SELECT current_setting('transaction_read_only') = 'on',
    (SELECT string_agg(needed, ', ' ORDER BY needed) FROM (VALUES ${NEEDED.join(', ')}) AS rights (needed, granted) WHERE NOT granted)`;

/** Rejects unless the role may do everything that the service does, and the server accepts writes. */
export async function assertWritable(sql: Db): Promise<void> {
  const [[isReadOnly, missing] = []] = await sql.query(STATE);
  if (missing) throw new StoreError(`the role lacks rights in the schema animal_store: ${missing}`);
  if (isReadOnly === 't') throw standbyError('the server is read-only');
}
