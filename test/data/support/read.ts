import { readRows } from '../../../src/data/read.ts';
import type { Format, ReadRow, RowFields } from '../../../src/data/rows.ts';

/** The text as bytes in pieces of a size that cuts through rows and characters. */
export async function* inPieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every row of the text. */
export async function read<T>(
  text: string | Uint8Array,
  format: Format,
  schema: RowFields<T>,
  pieceSize?: number,
): Promise<ReadRow<T>[]> {
  return (await Array.fromAsync(readRows(inPieces(text, pieceSize), format, schema))).flat();
}
