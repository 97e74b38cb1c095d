import { crc32 } from 'node:zlib';

const ID_BYTES = 8;
const CHECK_BYTES = 4;

/** The format of every cursor. */
export const CURSOR = /^[\w-]{16}$/;

/**
 * The position after the item `last`, where the next page begins. `scope` identifies the list and its filter. A
 * checksum binds it into the cursor, so that a cursor of another list or filter is rejected instead of skipping items.
 */
export function encodeCursor(scope: string, last: bigint): string {
  const bytes = Buffer.allocUnsafe(ID_BYTES + CHECK_BYTES);
  bytes.writeBigInt64BE(last);
  bytes.writeUInt32BE(crc32(`${scope}\n${last}`), ID_BYTES);
  return bytes.toString('base64url');
}

/** The `last` of a cursor that `encodeCursor` returned for the same scope; undefined for any other text. */
export function decodeCursor(scope: string, cursor: string): bigint | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const last = bytes.readBigInt64BE();
  return bytes.readUInt32BE(ID_BYTES) === crc32(`${scope}\n${last}`) ? last : undefined;
}
