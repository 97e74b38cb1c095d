import type { SQLOutputValue } from 'node:sqlite';
import type { Pet, PetStatus } from '../../contract/pet.ts';
import type { ApiKey } from '../store.ts';

type Row = Record<string, SQLOutputValue>;

/** From a statement that reads bigints. */
export function petOf(row: Row): Pet {
  return {
    id: row.id as bigint,
    name: row.name as string,
    categoryId: row.category_id as bigint,
    status: row.status as PetStatus,
  };
}

export function keyOf(row: Row): ApiKey {
  return {
    id: String(row.id),
    name: row.name as string,
    digest: row.digest as string,
    createdAt: new Date(row.created_at as number),
    expiresAt: dateOf(row.expires_at),
    revokedAt: dateOf(row.revoked_at),
    lastUsedAt: dateOf(row.last_used_at),
  };
}

const dateOf = (value: SQLOutputValue | undefined): Date | undefined =>
  typeof value === 'number' ? new Date(value) : undefined;
