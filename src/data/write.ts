import { stringify } from 'csv-stringify/sync';
import * as v from 'valibot';
import { jsonWriter } from '../contract/json.ts';
import { Pet } from '../contract/pet.ts';
import type { Fields } from '../contract/validate.ts';
import { escapeFormula } from './formula.ts';
import type { Format } from './rows.ts';

const PetWithCategory = v.object({ ...Pet.entries, category: v.optional(v.string()) });
type PetWithCategory = v.InferOutput<typeof PetWithCategory>;

/** The columns of a file, with or without the name of the category. */
interface FileColumns {
  readonly names: readonly string[];
  readonly toJson: (pet: PetWithCategory) => string;
}
const columnsOf = (schema: Fields<PetWithCategory>): FileColumns => ({
  names: Object.keys(schema.entries),
  toJson: jsonWriter(schema),
});
export const petColumns = columnsOf(Pet);
export const columnsWithCategory = columnsOf(PetWithCategory);

/** One row of CSV (RFC 4180) as it is, with its line end. Text is quoted, so that any line break in it is kept. */
export const csvLine = (cells: readonly unknown[], delimiter = ','): string =>
  stringify([[...cells]], { delimiter, quoted_string: true, record_delimiter: '\r\n' });

export const fileHeader = (format: Format, { names } = petColumns): string =>
  format === 'csv' ? csvLine(names) : '';

/** Animals as text of a file. In CSV, names that a spreadsheet would run as formulas are escaped; `readRows` undoes it. */
export function petRows(
  pets: readonly PetWithCategory[],
  format: Format,
  { names, toJson } = petColumns,
): string {
  if (format === 'ndjson') return pets.map((pet) => `${toJson(pet)}\n`).join('');
  return stringify([...pets], {
    columns: [...names],
    quoted_string: true,
    record_delimiter: '\r\n',
    cast: { string: (text) => escapeFormula(text) },
  });
}
