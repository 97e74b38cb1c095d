import { crc32 } from 'node:zlib';
import { KEY_BYTES } from './name-key.ts';

const ID_BYTES = 8;
export const CHECK_BYTES = 4;
const MAX_LENGTH = Math.ceil(((ID_BYTES + CHECK_BYTES + KEY_BYTES) * 4) / 3);

/** The format of every cursor. */
export const CURSOR = new RegExp(`^[\\w-]{16,${MAX_LENGTH}}$`);

/** A place in the order of a list. It stays valid when items change or are removed, because it refers to none. */
export interface Position {
  readonly id: bigint;
  /** What the list is ordered by before the id, if anything: the key of a name, or a time in milliseconds. */
  readonly key?: string | undefined;
}

/**
 * The place where the next page begins. `scope` identifies the list and its filter, so that a cursor of another list or filter is
 * rejected instead of skipping items.
 */
export function encodeCursor(scope: string, { id, key = '' }: Position): string {
  const bytes = Buffer.allocUnsafe(ID_BYTES + Buffer.byteLength(key) + CHECK_BYTES);
  bytes.writeBigInt64BE(id);
  bytes.write(key, ID_BYTES);
  return withChecksum(scope, bytes);
}

/** The place in a cursor that `encodeCursor` returned for the same scope; undefined for any other text. */
export function decodeCursor(scope: string, cursor: string): Position | undefined {
  const content = CURSOR.test(cursor) ? verified(scope, cursor) : undefined;
  const key = content?.toString('utf8', ID_BYTES);
  // No name contains NUL, and PostgreSQL would not accept it.
  if (!content || key?.includes('\0')) return undefined;
  return { id: content.readBigInt64BE(), key: key === '' ? undefined : key };
}

/** The bytes as text, the last `CHECK_BYTES` of them as a checksum that binds the others to what they are for. */
export function withChecksum(scope: string, bytes: Buffer): string {
  const end = bytes.length - CHECK_BYTES;
  bytes.writeUInt32BE(checkOf(scope, bytes.subarray(0, end)), end);
  return bytes.toString('base64url');
}

/** The bytes before the checksum in a text that `withChecksum` returned for the same scope; undefined for any other text. */
export function verified(scope: string, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(0, -CHECK_BYTES);
  if (bytes.readUInt32BE(content.length) !== checkOf(scope, content)) return undefined;
  // Several texts decode to the same bytes; only the canonical one is accepted.
  return bytes.toString('base64url') === text ? content : undefined;
}

const checkOf = (scope: string, content: Buffer): number => crc32(content, crc32(`${scope}\n`));
