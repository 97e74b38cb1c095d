import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { validate } from '../contract/validate.ts';
import { type RowReader, readHeader } from './columns.ts';
import { DataError, decodeUtf8, MAX_ROW_LENGTH, type ReadRow, type RowFields, tooLong } from './rows.ts';
import { csvLine } from './write.ts';

interface ParsedRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Reads CSV (RFC 4180) with a header row. Empty cells count as absent fields, and formulas lose the apostrophe of an export. */
export async function* readCsv<T>(
  input: AsyncIterable<Uint8Array>,
  schema: RowFields<T>,
): AsyncGenerator<ReadRow<T>[], void, undefined> {
  let header: readonly string[] = [];
  let readCells: RowReader | undefined;
  for await (const rows of parseCsv(input)) {
    if (readCells === undefined) {
      const first = rows.shift();
      if (first === undefined) continue;
      header = first.cells;
      readCells = readHeader(schema, header);
    }
    const toInput = readCells;
    yield rows.map((row) => readRow(row, header, schema, toInput));
  }
  if (readCells === undefined)
    throw new DataError('The input is empty: a CSV file begins with a header row.');
}

function readRow<T>(
  { cells, line }: ParsedRow,
  header: readonly string[],
  schema: RowFields<T>,
  toInput: RowReader,
): ReadRow<T> {
  const { value, problems } =
    cells.length === header.length
      ? validate(schema, toInput(cells))
      : { problems: [`the row has ${cells.length} cells, the header row has ${header.length}`] };
  if (value !== undefined) return { line, value, problems: [] };
  return { line, problems, source: csvLine(cells), header: csvLine(header) };
}

/** The rows of each chunk of the input, collected as the parser finds them, which costs less than reading its stream of objects. */
async function* parseCsv(input: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedRow[], void, undefined> {
  let rows: ParsedRow[] = [];
  // Counted here, because the parser counts a CRLF within a cell as two lines.
  let line = 1;
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (cells: string[], { empty_lines }) => {
      rows.push({ cells, line: line + empty_lines });
      line += 1 + lineBreaks(cells);
      return null;
    },
  });
  const ended = finished(parser.resume()).catch((error: Error) => error);
  const take = () => {
    const taken = rows;
    rows = [];
    return taken;
  };
  try {
    for await (const text of decodeUtf8(input)) {
      await new Promise((resolve) => parser.write(text, resolve));
      if (parser.errored) break;
      yield take();
    }
    parser.end();
    const error = await ended;
    if (error) throw readable(error, line);
    yield take();
  } finally {
    parser.destroy();
  }
}

const lineBreaks = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

/** After a quote in the wrong place nothing can be said about the rows that follow, so it ends the import. */
function readable(error: Error, line: number): Error {
  if (!(error instanceof CsvError)) return error;
  const at = line + Number(error.empty_lines ?? 0);
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new DataError(`${tooLong(at)} Is a quote missing?`);
  return new DataError(
    `Line ${at}: a quote is missing or in the wrong place. Put the cell in quotes, and write each quote within it twice.`,
  );
}
