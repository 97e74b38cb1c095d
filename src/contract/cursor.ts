import { hash } from 'node:crypto';

const ID_BYTES = 8;
const CHECK_CHARS = 8;

/** What any cursor looks like, whatever list it belongs to. */
export const CURSOR = /^[\w-]{19}$/;

/**
 * Where a walk through a list goes on: behind the item `last`. `scope` names the list and its filter and is
 * bound into the cursor, so that one taken from another list or filter is told apart instead of skipping items.
 */
export function encodeCursor(scope: string, last: bigint): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeBigInt64BE(last);
  return bytes.toString('base64url') + hash('sha256', `${scope}\n${last}`, 'base64url').slice(0, CHECK_CHARS);
}

/** The `last` of a cursor that `encodeCursor` made for this very scope; undefined for any other text. */
export function decodeCursor(scope: string, cursor: string): bigint | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const last = Buffer.from(cursor.slice(0, -CHECK_CHARS), 'base64url').readBigInt64BE();
  return encodeCursor(scope, last) === cursor ? last : undefined;
}
