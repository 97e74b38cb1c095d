import { encodeCursor } from '../../src/contract/cursor.ts';

/** The service refuses configured keys of fewer than 16 characters. */
export const KEY = 'the-api-key-of-the-benchmark';

/** What a client asks for, independent of the contender it asks. */
export type Call =
  | { readonly kind: 'first' }
  | { readonly kind: 'page'; readonly before: number }
  | { readonly kind: 'filtered'; readonly status: string }
  | { readonly kind: 'category'; readonly categoryId: number }
  | { readonly kind: 'categories'; readonly name: string }
  | { readonly kind: 'inventory'; readonly categoryId: number }
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'update'; readonly id: number; readonly body: string }
  | { readonly kind: 'create'; readonly body: string };

export type Kind = Call['kind'];

/** Maps a call to the path and query that a contender uses for it. */
export type TargetOf = (call: Call) => string;

/** For this service, and for the bare server, which receives the same bytes. */
export const ourTarget: TargetOf = (call) => {
  if (call.kind === 'page')
    return `/v1/pets?cursor=${encodeCursor('listPets', { id: BigInt(call.before) - 1n })}`;
  if (call.kind === 'filtered') return `/v1/pets?status=${call.status}`;
  if (call.kind === 'category') return `/v1/pets?categoryId=${call.categoryId}`;
  if (call.kind === 'categories') return `/v1/categories?limit=100&name=${encodeURIComponent(call.name)}`;
  if (call.kind === 'inventory') return `/v1/store/inventory?categoryId=${call.categoryId}`;
  return call.kind === 'one' || call.kind === 'update' ? `/v1/pets/${call.id}` : '/v1/pets';
};

/** The method of a call, and its body if it has one. */
export function methodOf(call: Call): { readonly method: string; readonly body?: string } {
  if (call.kind === 'create') return { method: 'POST', body: call.body };
  return call.kind === 'update' ? { method: 'PATCH', body: call.body } : { method: 'GET' };
}

/** Whole numbers from 1 to `max`, the same sequence in every run: a small seeded generator (mulberry32). */
export function randomNumbers(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % max);
  };
}
