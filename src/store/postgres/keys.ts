import type { Row } from 'postgres';
import { INT64_MAX } from '../../contract/int64.ts';
import { assertMayAct, rotateKey as decideRotation } from '../../contract/rules/keys.ts';
import { FULL_ACCESS } from '../../contract/scope.ts';
import { count, rowIdOf } from '../columns.ts';
import type {
  ApiKey,
  FirstApiKey,
  KeyChanges,
  KeyQuery,
  KeyRotation,
  KeyUse,
  NewApiKey,
  RefusedRotation,
  RotatedKey,
} from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { allRowsOf, type TextRow } from './reads/all-rows.ts';
import { arrayOf, defineTable } from './table.ts';
import { inTransaction } from './transaction.ts';

export const keyTable = defineTable(tables.keys);

const { readAll } = allRowsOf(keyTable);

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return readAll(sql, keyTable.select, [], 'id');
}

export async function listNewestKeys(sql: Db, { limit, from }: KeyQuery): Promise<ApiKey[]> {
  const newest = `${keyTable.select} WHERE id <= $1::int8 ORDER BY id DESC LIMIT $2::int8`;
  return readAll(sql, newest, [from?.id ?? INT64_MAX, limit], 'id DESC');
}

export async function getKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM api_keys WHERE id = ${rowIdOf(id) ?? null}`;
  return row && keyTable.fromRow(row);
}

/** The keys with these ids, locked in the order of their ids, so that two calls never deadlock, and the time by the clock of the store. */
async function lockKeys(sql: Db, ids: readonly (string | undefined)[]) {
  const rows = ids.flatMap((id) => rowIdOf(id ?? '') ?? []);
  const locked = await readAll(sql, LOCK, [arrayOf(rows)]);
  const [clock] = await sql`SELECT clock_timestamp() AS now`;
  return { keys: new Map(locked.map((key) => [key.id, key])), now: clock?.now as Date };
}

const LOCK = `${keyTable.select} WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE`;

async function insertKey(sql: Db, { name, digest, scopes, expiresAt }: NewApiKey): Promise<ApiKey> {
  const [row] = await sql`
    INSERT INTO api_keys (name, digest, scopes, expires_at)
    VALUES (${name}, ${digest}, ${scopes.join(' ')}, ${expiresAt ?? null}::timestamptz) RETURNING *`;
  return keyTable.fromRow(row as Row);
}

export function createKey(sql: Db, key: NewApiKey, actingKey?: string): Promise<ApiKey> {
  return inTransaction(sql, async () => {
    const { keys, now } = await lockKeys(sql, [actingKey]);
    if (actingKey !== undefined) assertMayAct(keys.get(actingKey), now);
    return insertKey(sql, key);
  });
}

/** A store in which there was ever an animal is not new, even if all of them were removed. */
export function createFirstKey(sql: Db, key: FirstApiKey): Promise<ApiKey | undefined> {
  return inTransaction(sql, async () => {
    await sql`LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE`;
    const [used] = await sql`
      SELECT FROM api_keys UNION ALL SELECT FROM pets UNION ALL SELECT FROM removed_pets LIMIT 1`;
    return used ? undefined : insertKey(sql, { ...key, scopes: [FULL_ACCESS] });
  });
}

export async function revokeKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${rowIdOf(id) ?? null} RETURNING *`;
  return row && keyTable.fromRow(row);
}

export function rotateKey(
  sql: Db,
  id: string,
  rotation: KeyRotation,
  actingKey?: string,
): Promise<RotatedKey | RefusedRotation | undefined> {
  return inTransaction(sql, async () => {
    const { keys, now } = await lockKeys(sql, [id, actingKey]);
    if (actingKey !== undefined) assertMayAct(keys.get(actingKey), now);
    const old = keys.get(id);
    if (!old) return undefined;
    const expiry = decideRotation(old, rotation, now);
    if (!expiry) return { refused: old };
    const { name, scopes } = old;
    const created = await insertKey(sql, {
      name,
      digest: rotation.digest,
      scopes,
      expiresAt: expiry.created,
    });
    const [replaced] = await sql`
      UPDATE api_keys SET expires_at = ${expiry.replaced}, replaced_by = ${BigInt(created.id)}
      WHERE id = ${BigInt(id)} RETURNING *`;
    return { created, replaced: keyTable.fromRow(replaced as Row) };
  });
}

const RECORD_USE = `
  WITH locked AS MATERIALIZED (SELECT id FROM api_keys WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
  UPDATE api_keys SET last_used_at = greatest(last_used_at, at)
  FROM locked JOIN unnest($1::int8[], $2::timestamptz[]) AS used (used_id, at) ON used_id = locked.id
  WHERE api_keys.id = locked.id`;

/** Locks the rows in the order of their ids, so that two instances never deadlock. */
export async function recordKeyUse(sql: Db, uses: readonly KeyUse[]): Promise<void> {
  const stored = uses.filter(({ id }) => rowIdOf(id) !== undefined);
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
