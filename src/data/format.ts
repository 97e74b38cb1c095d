import { extname } from 'node:path';

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
      ? `The format of ${file} is not clear from its name: add --format ndjson or --format csv.`
      : `--format must be ndjson or csv, not ${given}.`,
  );
}
