import type { Portion } from '../portion.ts';
import { printable } from '../printable.ts';
import { StoreError } from '../store.ts';
import { arrayOf } from './arrays.ts';
import { type Db, inTransaction } from './connection.ts';
import { cannotUse } from './errors.ts';
import { migrateAlone } from './migrate.ts';
import { parseUrl } from './url.ts';

type Value = Parameters<typeof arrayOf>[0][number];

/** Fills a database that holds nothing of ours yet, in one transaction. */
export async function restore(url: string, portions: Iterable<Portion>): Promise<void> {
  try {
    await inTransaction(parseUrl(url), async (sql) => {
      await migrateAlone(sql, printable(url));
      await fill(sql, portions);
    });
  } catch (error) {
    throw cannotUse(url, error);
  }
}

async function fill(sql: Db, portions: Iterable<Portion>): Promise<void> {
  await sql`LOCK TABLE pets, orders, api_keys, idempotency_keys IN EXCLUSIVE MODE`;
  const [row] = await sql`
    SELECT EXISTS (SELECT FROM pets) OR EXISTS (SELECT FROM api_keys) OR EXISTS (SELECT FROM idempotency_keys) AS used`;
  if (row?.used) throw new StoreError('the database holds animals or keys already: move into a new one');
  for (const portion of portions) await add(sql, portion);
  for (const table of ['pets', 'orders', 'api_keys']) {
    await sql`SELECT setval(${`${table}_id_seq`}, max(id)) FROM ${sql(table)} HAVING max(id) IS NOT NULL`;
    await sql`ANALYZE ${sql(table)}`;
  }
}

async function add(sql: Db, { pets, orders, keys, onces }: Portion): Promise<void> {
  if (pets) {
    const column = columnOf(pets);
    await sql`
      INSERT INTO pets (id, name, category_id, status)
      SELECT * FROM unnest(${column((pet) => pet.id)}::int8[], ${column((pet) => pet.name)}::text[],
        ${column((pet) => pet.categoryId)}::int8[], ${column((pet) => pet.status)}::text[])`;
  }
  if (orders) {
    const column = columnOf(orders);
    await sql`
      INSERT INTO orders (id, pet_id, status, created_at, updated_at)
      SELECT * FROM unnest(${column((order) => order.id)}::int8[], ${column((order) => order.petId)}::int8[],
        ${column((order) => order.status)}::text[], ${column((order) => order.createdAt)}::timestamptz[],
        ${column((order) => order.updatedAt)}::timestamptz[])`;
  }
  if (keys) {
    const column = columnOf(keys);
    await sql`
      INSERT INTO api_keys (id, name, digest, created_at, expires_at, revoked_at, last_used_at)
      SELECT * FROM unnest(${column((key) => key.id)}::int8[], ${column((key) => key.name)}::text[],
        ${column((key) => key.digest)}::text[], ${column((key) => key.createdAt)}::timestamptz[],
        ${column((key) => key.expiresAt)}::timestamptz[], ${column((key) => key.revokedAt)}::timestamptz[],
        ${column((key) => key.lastUsedAt)}::timestamptz[])`;
  }
  if (onces) {
    const column = columnOf(onces);
    await sql`
      INSERT INTO idempotency_keys (owner, key, fingerprint, result, created_at)
      SELECT * FROM unnest(${column((once) => once.owner)}::text[], ${column((once) => once.key)}::text[],
        ${column((once) => once.fingerprint)}::text[], ${column((once) => once.result)}::text[],
        ${column((once) => once.createdAt)}::timestamptz[])`;
  }
}

const columnOf =
  <T>(items: readonly T[]) =>
  (value: (item: T) => Value): string =>
    arrayOf(items.map(value));
