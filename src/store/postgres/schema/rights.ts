import { StoreError } from '../../store.ts';
import { TABLES } from '../../tools/dump.ts';
import { standbyError } from '../errors.ts';
import type { Db } from '../pool/connection.ts';

/** On what the role needs which rights: DATABASE, SCHEMA, tables and sequences. What does not exist yet is created by this role. */
type Rights = Readonly<Record<string, string>>;

/** For the statements of the store. */
const USE: Rights = {
  USAGE: 'SCHEMA pets_id_seq orders_id_seq removed_pets_removal_seq',
  SELECT: 'migrations key_removals',
  'SELECT, INSERT': 'former_category_ids',
  'SELECT, INSERT, DELETE': 'events inventory category_changes',
  'SELECT, INSERT, UPDATE': 'orders api_keys category_inventory category_counter',
  'SELECT, INSERT, UPDATE, DELETE': 'pets removed_pets categories idempotency_keys',
};
export const CREATE: Rights = { CREATE: 'DATABASE SCHEMA', USAGE: 'SCHEMA' };
export const IMPORT: Rights = { TEMPORARY: 'DATABASE' };
/** To lock a table, one of these is enough. */
const LOCK = { 'UPDATE/DELETE/TRUNCATE': TABLES.join(' ') };
export const MOVE_FROM: Rights = { USAGE: 'SCHEMA', SELECT: `migrations ${TABLES.join(' ')}`, ...LOCK };
export const MOVE_INTO: Rights = {
  ...USE,
  ...LOCK,
  UPDATE: 'pets_id_seq orders_id_seq removed_pets_removal_seq api_keys_id_seq',
};

/** A row for each GRANT that is missing: of the same rights, on objects of the same kind and owner. */
const missing = (rights: Rights): string => `
  WITH objects (kind, name, object, id, owner) AS (
    SELECT 'DATABASE', 'DATABASE', quote_ident(datname), oid, datdba FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'SCHEMA', 'SCHEMA', nspname, oid, nspowner FROM pg_namespace WHERE nspname = 'animal_store'
    UNION ALL
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname, 'animal_store.' || relname, pg_class.oid, relowner
    FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE nspname = 'animal_store'),
  missing AS (
    SELECT kind, object, owner, string_agg(DISTINCT split_part(needed, ',', 1), ', ') AS rights
    FROM objects JOIN (VALUES ${rowsOf(rights)}) AS rights (target, needed)
      -- The server may check any pair, and fails for a right that this kind of object does not have.
      ON NOT CASE
        WHEN name <> target THEN true
        WHEN kind = 'DATABASE' THEN has_database_privilege(id, needed)
        WHEN kind = 'SCHEMA' THEN has_schema_privilege(id, needed)
        WHEN kind = 'SEQUENCE' THEN has_sequence_privilege(id, needed)
        ELSE has_table_privilege(id, needed) END
    GROUP BY kind, object, owner)
  SELECT quote_ident(current_user), quote_ident(current_database()), quote_ident(pg_get_userbyid(owner)),
    format('GRANT %s ON %s %s TO %I;', rights, kind, string_agg(object, ', ' ORDER BY object), current_user)
  FROM missing GROUP BY kind, rights, owner ORDER BY kind, rights`;

const rowsOf = (rights: Rights): string =>
  Object.entries(rights)
    .flatMap(([needed, names]) =>
      names.split(' ').flatMap((name) => needed.split(', ').map((one) => [name, one])),
    )
    .map(([name, one = '']) => `('${name}', '${one.replaceAll('/', ',')}')`)
    .join(', ');

/** Rejects unless the role has these rights. Says what to run, and who. */
export async function assertRights(sql: Db, rights: Rights): Promise<void> {
  const rows = await sql.query(missing(rights), []);
  const [[role, database] = []] = rows;
  if (role === undefined) return;
  const owners = [...new Set(rows.map(([, , owner]) => owner))].join(' and ');
  const grants = rows.map(([, , , grant]) => grant).join(' ');
  throw new StoreError(
    `the role ${role} lacks rights: let a superuser or the owner, ${owners}, run in the database ${database}: ${grants}`,
  );
}

/** Rejects unless the role may do everything that the service does, and the server accepts writes. */
export async function assertWritable(sql: Db): Promise<void> {
  await assertRights(sql, USE);
  const [[isReadOnly] = []] = await sql.query("SELECT current_setting('transaction_read_only')", []);
  if (isReadOnly === 'on') throw standbyError('the server is read-only');
}
