import type { Author } from '../../contract/event.ts';
import { INT64_MAX, int64FromText } from '../../contract/int64.ts';
import type { KeyUpdate } from '../../contract/key.ts';
import {
  type Actor,
  createKey as decideCreation,
  revokeKey as decideRevocation,
  rotateKey as decideRotation,
  updateKey as decideUpdate,
  hasStoredKey,
  type Rotation,
} from '../../contract/rules/keys.ts';
import { FULL_ACCESS } from '../../contract/scope.ts';
import { count } from '../columns.ts';
import type { ApiKey, FirstApiKey, KeyChanges, KeyQuery, KeyUse, NewApiKey, RotatedKey } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db, TextRow, Value } from './pool/connection.ts';
import { arrayOf, defineTable, insertInto, rowsAsJson, rowsIn, updateIn } from './table.ts';
import { inTransaction } from './transaction.ts';

const keyTable = defineTable(tables.keys);
const insertKeys = insertInto(keyTable, 'id');
/** Not the digest: a statement that sets it makes every instance read all keys again. */
const updateKeys = updateIn(keyTable, 'digest');

const readKeys = async (sql: Db, conditions: string, values: Value[] = []): Promise<ApiKey[]> =>
  (await sql.query(`${keyTable.select} ${conditions}`, values)).map(keyTable.fromRow);

export const listKeys = (sql: Db): Promise<ApiKey[]> => readKeys(sql, 'ORDER BY id');

export const listNewestKeys = (sql: Db, { limit, from }: KeyQuery): Promise<ApiKey[]> =>
  readKeys(sql, 'WHERE id <= $1::int8 ORDER BY id DESC LIMIT $2::int8', [from?.id ?? INT64_MAX, limit]);

async function getKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const known = int64FromText(id);
  return known === undefined ? undefined : (await readKeys(sql, 'WHERE id = $1::int8', [known]))[0];
}

/**
 * Changes keys in a transaction: locks the one with this id and that of the author, in the order of their ids, so that two calls never
 * deadlock, and decides by the clock of the store.
 */
function changeKeys<T>(
  sql: Db,
  by: Author | undefined,
  id: string | undefined,
  change: (actor: Actor, key: ApiKey | undefined) => Promise<T>,
): Promise<T> {
  return inTransaction(sql, async () => {
    const ids = [id, by?.keyId].flatMap((one) => int64FromText(one ?? '') ?? []);
    const locked = new Map((await readKeys(sql, LOCKED, [arrayOf(ids)])).map((key) => [key.id, key]));
    const key = hasStoredKey(by) ? locked.get(by.keyId) : null;
    return change({ by, key, now: await storeTime(sql) }, locked.get(id ?? ''));
  });
}

async function storeTime(sql: Db): Promise<Date> {
  const [clock] = await sql.query('SELECT clock_timestamp()', []);
  return new Date(clock?.[0] ?? '');
}

const LOCKED = 'WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE';

async function addKey(sql: Db, key: Omit<ApiKey, 'id'>): Promise<ApiKey> {
  const { text, values } = insertKeys([key]);
  const [row] = await sql.query(`${text} RETURNING ${keyTable.list}`, values);
  return keyTable.fromRow(row as TextRow);
}

async function changeKey(sql: Db, key: ApiKey): Promise<ApiKey> {
  await sql.together([updateKeys([key])]);
  return (await getKey(sql, key.id)) as ApiKey;
}

export const createKey = (sql: Db, key: NewApiKey, by?: Author): Promise<ApiKey> =>
  changeKeys(sql, by, undefined, (actor) => addKey(sql, decideCreation(key, actor)));

/** A store in which there was ever an animal is not new, even if all of them were removed. */
export function createFirstKey(sql: Db, key: FirstApiKey): Promise<ApiKey | undefined> {
  return inTransaction(sql, async () => {
    await sql.query('LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE');
    const [used] = await sql.query(
      'SELECT FROM api_keys UNION ALL SELECT FROM pets UNION ALL SELECT FROM removed_pets LIMIT 1',
    );
    return used ? undefined : addKey(sql, { ...key, scopes: [FULL_ACCESS], createdAt: await storeTime(sql) });
  });
}

export const updateKey = (sql: Db, id: string, changes: KeyUpdate, by?: Author): Promise<ApiKey> =>
  changeKeys(sql, by, id, (actor, key) => changeKey(sql, decideUpdate(key, changes, actor)));

export const revokeKey = (sql: Db, id: string, by?: Author): Promise<ApiKey> =>
  changeKeys(sql, by, id, (actor, key) => changeKey(sql, decideRevocation(key, actor)));

export const rotateKey = (sql: Db, id: string, rotation: Rotation, by?: Author): Promise<RotatedKey> =>
  changeKeys(sql, by, id, async (actor, key) => {
    const { created, replaced } = decideRotation(key, rotation, actor);
    const stored = await addKey(sql, created);
    return { created: stored, replaced: await changeKey(sql, replaced(stored.id)) };
  });

const RECORD_USE = `
  WITH locked AS MATERIALIZED (SELECT id FROM api_keys WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
  UPDATE api_keys SET last_used_at = greatest(last_used_at, at)
  FROM locked JOIN unnest($1::int8[], $2::timestamptz[]) AS used (used_id, at) ON used_id = locked.id
  WHERE api_keys.id = locked.id`;

/** Locks the rows in the order of their ids, so that two instances never deadlock. */
export async function recordKeyUse(sql: Db, uses: readonly KeyUse[]): Promise<void> {
  const stored = uses.filter(({ id }) => int64FromText(id) !== undefined);
  const values = [arrayOf(stored.map(({ id }) => id)), arrayOf(stored.map(({ at }) => at))];
  await sql.query(RECORD_USE, values);
}

const changeTable = defineTable<KeyChanges['keys'][number]>({
  ...tables.keys,
  columns: { ...tables.keys.columns, change: count('change') },
});

const CHANGED = `${changeTable.select} WHERE change > $1::int8 ORDER BY change LIMIT $2::int8`;
const CHANGES = `
  SELECT (${rowsAsJson(changeTable, CHANGED, 'change')}), removals, (SELECT coalesce(max(change), 0) FROM api_keys), clock_timestamp()
  FROM key_removals`;

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  const [row] = await sql.query(CHANGES, [after, limit]);
  const [changed, removals, latest, now] = row as TextRow;
  const keys = rowsIn(changeTable, changed);
  return { keys, latest: Number(latest), removals: Number(removals), now: new Date(now ?? '') };
}
