import type { Row } from 'postgres';
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
import type { Db } from './pool/connection.ts';
import { allRowsOf, type TextRow } from './reads/all-rows.ts';
import { arrayOf, columnArrays, defineTable } from './table.ts';
import { inTransaction } from './transaction.ts';
import { update } from './writer/save.ts';

const keyTable = defineTable(tables.keys);

const { readAll } = allRowsOf(keyTable);

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return readAll(sql, keyTable.select, [], 'id');
}

export async function listNewestKeys(sql: Db, { limit, from }: KeyQuery): Promise<ApiKey[]> {
  const newest = `${keyTable.select} WHERE id <= $1::int8 ORDER BY id DESC LIMIT $2::int8`;
  return readAll(sql, newest, [from?.id ?? INT64_MAX, limit], 'id DESC');
}

export async function getKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM api_keys WHERE id = ${int64FromText(id) ?? null}`;
  return row && keyTable.fromRow(row);
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
    const locked = new Map((await readAll(sql, LOCK, [arrayOf(ids)])).map((key) => [key.id, key]));
    const key = hasStoredKey(by) ? locked.get(by.keyId) : null;
    return change({ by, key, now: await storeTime(sql) }, locked.get(id ?? ''));
  });
}

async function storeTime(sql: Db): Promise<Date> {
  const [clock] = await sql`SELECT clock_timestamp() AS now`;
  return clock?.now;
}

const LOCK = `${keyTable.select} WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE`;

async function addKey(sql: Db, key: Omit<ApiKey, 'id'>): Promise<ApiKey> {
  const { list, placeholders, values } = columnArrays(keyTable, [key], 'id');
  const statement = `INSERT INTO api_keys (${list}) SELECT * FROM unnest(${placeholders}) RETURNING *`;
  const [row] = await sql.unsafe(statement, values, { prepare: true });
  return keyTable.fromRow(row as Row);
}

/** Does not write the digest: a statement that sets it makes every instance read all keys again. */
async function changeKey(sql: Db, key: ApiKey): Promise<ApiKey> {
  for (const { sql: statement, values } of update(keyTable, [key], 'digest'))
    await sql.unsafe(statement, values, { prepare: true });
  return (await getKey(sql, key.id)) as ApiKey;
}

export const createKey = (sql: Db, key: NewApiKey, by?: Author): Promise<ApiKey> =>
  changeKeys(sql, by, undefined, (actor) => addKey(sql, decideCreation(key, actor)));

/** A store in which there was ever an animal is not new, even if all of them were removed. */
export function createFirstKey(sql: Db, key: FirstApiKey): Promise<ApiKey | undefined> {
  return inTransaction(sql, async () => {
    await sql`LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE`;
    const [used] = await sql`
      SELECT FROM api_keys UNION ALL SELECT FROM pets UNION ALL SELECT FROM removed_pets LIMIT 1`;
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
  await sql.unsafe(RECORD_USE, values, { prepare: true });
}

const changeTable = defineTable<KeyChanges['keys'][number]>({
  ...tables.keys,
  columns: { ...tables.keys.columns, change: count('change') },
});
const { inOne, itemsOf } = allRowsOf(changeTable);

const CHANGES = `
  SELECT all_rows, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest, clock_timestamp() AS now
  FROM key_removals
  CROSS JOIN (${inOne(`${changeTable.select} WHERE change > $1 ORDER BY change LIMIT $2`, 'change')}) AS changed`;

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  const rows: unknown = await sql.unsafe(CHANGES, [after, limit], { prepare: true }).values();
  const [[changed, removals, latest, now]] = rows as [[TextRow[] | null, bigint, bigint, Date]];
  return { keys: itemsOf(changed), latest: Number(latest), removals: Number(removals), now };
}
