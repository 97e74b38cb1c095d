import { crc32 } from 'node:zlib';

const ID_BYTES = 8;
const CHECK_BYTES = 4;

/** What any cursor looks like, whatever list it belongs to. */
export const CURSOR = /^[\w-]{16}$/;

/**
 * Where a walk through a list goes on: behind the item `last`. `scope` names the list and its filter and is
 * bound into the cursor by a checksum, so that one taken from another list or filter is told apart instead of
 * skipping items.
 */
export function encodeCursor(scope: string, last: bigint): string {
  const bytes = Buffer.allocUnsafe(ID_BYTES + CHECK_BYTES);
  bytes.writeBigInt64BE(last);
  bytes.writeUInt32BE(crc32(`${scope}\n${last}`), ID_BYTES);
  return bytes.toString('base64url');
}

/** The `last` of a cursor that `encodeCursor` made for this very scope; undefined for any other text. */
export function decodeCursor(scope: string, cursor: string): bigint | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const last = bytes.readBigInt64BE();
  return bytes.readUInt32BE(ID_BYTES) === crc32(`${scope}\n${last}`) ? last : undefined;
}
