import * as v from 'valibot';
import { int64FromText } from '../contract/int64.ts';
import { unescapeFormula } from './formula.ts';
import { DataError, type RowFields } from './rows.ts';

/** Makes the input of a schema from the cells of a row. */
export type RowReader = (cells: readonly string[]) => Record<string, unknown>;

/** Checks a header row against the fields of a schema. Columns that the schema does not have are ignored. */
export function readHeader(schema: RowFields, header: readonly string[]): RowReader {
  const fields = Object.keys(schema.entries);
  for (const [index, column] of header.entries()) {
    const meant = fields.find((field) => field.toLowerCase() === column.trim().toLowerCase());
    if (meant !== undefined && meant !== column) {
      throw new DataError(`The header row has a column ${JSON.stringify(column)}: write ${meant}.`);
    }
    if (header.indexOf(column) !== index)
      throw new DataError(`The header row names ${JSON.stringify(column)} twice.`);
    if (meant === undefined) schema.onIgnored?.(column);
  }
  const missing = fields.filter(
    (field) => schema.entries[field]?.type !== 'optional' && !header.includes(field),
  );
  const { eitherColumn = [] } = schema;
  if (eitherColumn.length > 0 && !eitherColumn.some((column) => header.includes(column)))
    missing.push(eitherColumn.join(' or '));
  if (missing.length > 0) {
    throw new DataError(
      `The header row lacks ${missing.join(' and ')}: the first row must name the columns, separated by commas, semicolons or tabs.`,
    );
  }
  const columns = fields.flatMap((field) => {
    const index = header.indexOf(field);
    return index < 0
      ? []
      : [{ field, index, read: isInteger(schema.entries[field]) ? readInteger : unescapeFormula }];
  });
  return (cells) => {
    const input: Record<string, unknown> = {};
    for (const { field, index, read } of columns) {
      const cell = cells[index];
      if (cell !== undefined && cell !== '') input[field] = read(cell);
    }
    return input;
  };
}

function isInteger(schema: v.GenericSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { wrapped = schema } = schema as { wrapped?: v.GenericSchema };
  return v.getMetadata(wrapped).type === 'integer';
}

/** Other text is passed on, so that the schema says what is wrong with it. */
const readInteger = (cell: string): bigint | string => int64FromText(cell) ?? cell;
