import type { DatabaseSync } from 'node:sqlite';
import { parse } from 'valibot';
import { ApiError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { type NewPet, Pet, petJson } from '../../contract/pet.ts';
import {
  type ApiKey,
  type Created,
  type KeyUse,
  type NewApiKey,
  ONCE_LIFETIME_MS,
  type Once,
} from '../store.ts';
import { keyOf } from './rows.ts';

/** Every change the store knows, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const insertPet = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)');
  insertPet.setReadBigInts(true);
  const findOnce = db.prepare(
    'SELECT fingerprint, result FROM idempotency_keys WHERE owner = ? AND key = ? AND created_at > ?',
  );
  const keepOnce = db.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, result, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const forgetOnce = db.prepare(
    'DELETE FROM idempotency_keys WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys WHERE created_at <= ? LIMIT ?)',
  );
  const insertKey = db.prepare(
    'INSERT INTO api_keys (name, digest, created_at, expires_at) VALUES (?, ?, ?, ?) RETURNING *',
  );
  const isUnused = db.prepare(
    'SELECT NOT EXISTS (SELECT 1 FROM api_keys) AND NOT EXISTS (SELECT 1 FROM pets) AS yes',
  );
  const revoke = db.prepare(
    'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING *',
  );
  const use = db.prepare('UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?');
  const probe = db.prepare(
    'INSERT INTO write_probe (id, at) VALUES (1, ?1) ON CONFLICT DO UPDATE SET at = ?1',
  );

  function createPet(pet: NewPet, once?: Once): Created<Pet> {
    const earlier = once && resultOf(once);
    if (earlier !== undefined) return { value: parse(Pet, parseJson(earlier)), replayed: true };
    const { lastInsertRowid } = insertPet.run(pet.name, pet.categoryId, pet.status);
    const value = { id: BigInt(lastInsertRowid), ...pet };
    if (once) keepOnce.run(once.owner, once.key, once.fingerprint, petJson(value), Date.now());
    return { value, replayed: false };
  }

  function resultOf({ owner, key, fingerprint }: Once): string | undefined {
    const found = findOnce.get(owner, key, Date.now() - ONCE_LIFETIME_MS);
    if (found && found.fingerprint !== fingerprint) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new one.',
      );
    }
    return found?.result as string | undefined;
  }

  function createKey({ name, digest, expiresAt }: NewApiKey): ApiKey {
    const row = insertKey.get(name, digest, Date.now(), expiresAt?.getTime() ?? null);
    if (!row) throw new Error('the new key was not returned');
    return keyOf(row);
  }

  return {
    createPet,
    createKey,
    createFirstKey(key: NewApiKey): ApiKey | undefined {
      return isUnused.get()?.yes ? createKey(key) : undefined;
    },
    revokeKey(id: string): ApiKey | undefined {
      const row = revoke.get(Date.now(), id);
      return row && keyOf(row);
    },
    recordKeyUse(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) use.run(at.getTime(), id);
    },
    /** How many were forgotten: fewer than `most` when none is left. */
    forgetExpired(most: number): number {
      return Number(forgetOnce.run(Date.now() - ONCE_LIFETIME_MS, most).changes);
    },
    probe(): void {
      probe.run(Date.now());
    },
  };
}
