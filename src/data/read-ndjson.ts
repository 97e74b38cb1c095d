import { parseJson } from '../contract/json.ts';
import { validate } from '../contract/validate.ts';
import { DataError, decodeUtf8, MAX_ROW_LENGTH, type ReadRow, type RowFields, tooLong } from './rows.ts';

/** Reads one JSON object per line. Blank lines are skipped, and fields that the schema does not have are ignored. */
export async function* readNdjson<T>(
  input: AsyncIterable<Uint8Array>,
  schema: RowFields<T>,
): AsyncGenerator<ReadRow<T>[], void, undefined> {
  let line = 0;
  let rest = '';
  const read = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      line++;
      if (text.length > MAX_ROW_LENGTH) throw new DataError(tooLong(line));
      return text.trim() === '' ? [] : [readLine(text, line, schema)];
    });
  for await (const text of decodeUtf8(input)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield read(lines);
    if (rest.length > MAX_ROW_LENGTH) throw new DataError(tooLong(line + 1));
  }
  yield read([rest]);
}

function readLine<T>(text: string, line: number, schema: RowFields<T>): ReadRow<T> {
  const { value, problems } = parseLine(text, schema);
  return value === undefined
    ? { line, problems, source: `${text}\n`, header: '' }
    : { line, value, problems: [] };
}

function parseLine<T>(text: string, schema: RowFields<T>): { value?: T | undefined; problems: string[] } {
  try {
    const input = parseJson(text);
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    if (!isObject) return { problems: ['the line must be a JSON object'] };
    for (const field of Object.keys(input))
      if (!Object.hasOwn(schema.entries, field)) schema.onIgnored?.(field);
    return validate(schema, input);
  } catch (error) {
    // RangeError: nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return { problems: ['the line is not valid JSON'] };
    throw error;
  }
}
