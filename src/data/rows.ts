import { extname } from 'node:path';
import { kib, limits } from '../contract/limits.ts';
import type { Fields } from '../contract/validate.ts';

/** Input that cannot be read as a whole, or a format that is not known. The message is one line that says what to do. */
export class DataError extends Error {}

export const formats = ['ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** The format that was asked for, or the one of the file's extension. `-` is standard input or output, without an extension. */
export function formatOf(file: string, given?: string): Format {
  const name = given ?? extname(file).slice(1).toLowerCase();
  const format = formats.find((one) => one === (name === 'jsonl' ? 'ndjson' : name));
  if (format !== undefined) return format;
  throw new DataError(
    given === undefined
      ? `The format of ${file} is not clear from its name: add --format ndjson or --format csv. Save a spreadsheet as CSV first.`
      : `--format must be ndjson or csv, not ${given}.`,
  );
}

/** A schema of rows. CSV must have the columns that it requires. */
export type RowFields<T = unknown> = Fields<T> & {
  /** CSV must have at least one of these columns. */
  readonly eitherColumn?: readonly string[];
  /** Receives the names of columns or fields that the schema does not have, each at least once. */
  readonly onIgnored?: (name: string) => void;
};

/** What a row holds: a valid value, or every problem that it has. */
export type ReadRow<T> = ValidRow<T> | InvalidRow;

interface ValidRow<T> {
  readonly line: number;
  readonly value: T;
  readonly problems: [];
}

export interface InvalidRow {
  /** Where the row begins in the input, from 1. */
  readonly line: number;
  readonly problems: readonly string[];
  /** The row as text, with its line end, so that it can be fixed and imported again. */
  readonly source: string;
  /** What a file of such rows begins with: the header row of CSV, nothing for NDJSON. */
  readonly header: string;
}

export const isValid = <T>(row: ReadRow<T>): row is ValidRow<T> => row.problems.length === 0;

/** As large as the body of a request may be, so that memory stays bounded whatever the input is. */
export const MAX_ROW_LENGTH = limits.bodyBytes;
export const tooLong = (line: number): string =>
  `Line ${line}: the row is longer than ${kib(MAX_ROW_LENGTH)}.`;

/** Decodes a stream of bytes. Text in another encoding is an error: replaced characters would be stored as names. */
export async function* decodeUtf8(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  try {
    for await (const bytes of input) {
      const text = decoder.decode(bytes, { stream: true });
      yield text;
      line += text.split('\n').length - 1;
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new DataError(`The input is not UTF-8 text, at or soon after line ${line}: save it as UTF-8.`);
  }
}
