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
  const texts = decodeUtf8(input);
  const head = await headOf(texts);
  const separator = separatorOf(head, schema);
  let header: readonly string[] = [];
  let readCells: RowReader | undefined;
  for await (const rows of parseCsv(withHead(head, texts), separator)) {
    if (readCells === undefined) {
      const first = rows.shift();
      if (first === undefined) continue;
      header = first.cells;
      readCells = readHeader(schema, header);
    }
    const toInput = readCells;
    yield rows.map((row) => readRow(row, header, schema, toInput, separator));
  }
  if (readCells === undefined)
    throw new DataError('The input is empty: a CSV file begins with a header row.');
}

function readRow<T>(
  { cells, line }: ParsedRow,
  header: readonly string[],
  schema: RowFields<T>,
  toInput: RowReader,
  separator: string,
): ReadRow<T> {
  const { value, problems } =
    cells.length === header.length
      ? validate(schema, toInput(cells))
      : { problems: [`the row has ${cells.length} cells, the header row has ${header.length}`] };
  if (value !== undefined) return { line, value, problems: [] };
  return { line, problems, source: csvLine(cells, separator), header: csvLine(header, separator) };
}

/** A first row with its end, whatever its quotes contain. */
const FIRST_ROW = /^[\r\n]*(?:"[^"]*"|[^"\r\n])+[\r\n]/;

/** The beginning of the text, with the whole first row unless that is too long. */
async function headOf(texts: AsyncGenerator<string>): Promise<string> {
  let head = '';
  while (head.length <= MAX_ROW_LENGTH && !FIRST_ROW.test(head)) {
    const { value, done } = await texts.next();
    if (done) break;
    head += value;
  }
  return head;
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

/** The separator with which the first row names the most columns: one for the whole file. Spreadsheets use the semicolon where the comma is part of numbers. */
function separatorOf(head: string, { entries }: RowFields): string {
  const columns = Object.keys(entries).map((column) => column.toLowerCase());
  const row = (FIRST_ROW.exec(head)?.[0] ?? head).replace(/"[^"]*"/g, (cell) => cell.replace(/[,;\t]/g, ' '));
  const named = (separator: string) =>
    row.split(separator).filter((cell) =>
      columns.includes(
        cell
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .toLowerCase(),
      ),
    ).length;
  return [',', ';', '\t'].reduce((best, other) => (named(other) > named(best) ? other : best));
}

/** The rows of each chunk of the input, collected as the parser finds them, which costs less than reading its stream of objects. */
async function* parseCsv(
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<ParsedRow[], void, undefined> {
  let rows: ParsedRow[] = [];
  // Counted here, because the parser counts a CRLF within a cell as two lines.
  let line = 1;
  const parser = parse({
    delimiter,
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
    for await (const text of texts) {
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
