import { encodeCursor } from '../../src/contract/cursor.ts';

export const KEY = 'bench-key';

/** What a client wants, before it is known whom it asks. */
export type Call =
  | { readonly kind: 'first' }
  | { readonly kind: 'page'; readonly before: number }
  | { readonly kind: 'filtered'; readonly status: string }
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'create'; readonly body: string };

export type Kind = Call['kind'];

/** The path and query by which a contender is asked for this. */
export type Target = (call: Call) => string;

/** How this service is asked, and the limit, which gets the same bytes. */
export const ourTarget: Target = (call) => {
  if (call.kind === 'page') return `/v1/pets?cursor=${encodeCursor('listPets', BigInt(call.before))}`;
  if (call.kind === 'filtered') return `/v1/pets?status=${call.status}`;
  return call.kind === 'one' ? `/v1/pets/${call.id}` : '/v1/pets';
};

/** A whole request, as it goes over the wire. */
export function requestText(call: Call, target: Target): string {
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\n`;
  if (call.kind !== 'create') return `GET ${target(call)} HTTP/1.1\r\n${head}\r\n`;
  const entity = `Content-Type: application/json\r\nContent-Length: ${call.body.length}\r\n\r\n${call.body}`;
  return `POST ${target(call)} HTTP/1.1\r\n${head}${entity}`;
}

/** Whole numbers from 1 to `most`, the same ones in every run: a small generator with a seed (mulberry32). */
export function randomNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % most);
  };
}
