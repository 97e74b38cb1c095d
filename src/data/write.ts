import { stringify } from 'csv-stringify/sync';
import { Pet, petJson } from '../contract/pet.ts';
import type { Format } from './format.ts';
import { escapeFormula } from './formulas.ts';

const columns = Object.keys(Pet.entries);

/** One row of CSV (RFC 4180) as it is, with its line end. Text is quoted, so that any line break in it is kept. */
export const csvLine = (cells: readonly unknown[]): string =>
  stringify([[...cells]], { quoted_string: true, record_delimiter: '\r\n' });

/** What comes before the first animal. */
export const fileHeader = (format: Format): string => (format === 'csv' ? csvLine(columns) : '');

/** Animals as text of a file. In CSV, names that a spreadsheet would run as formulas are escaped; `readRows` undoes it. */
export function petRows(pets: readonly Pet[], format: Format): string {
  if (format === 'ndjson') return pets.map((pet) => `${petJson(pet)}\n`).join('');
  return stringify([...pets], {
    columns,
    quoted_string: true,
    record_delimiter: '\r\n',
    cast: { string: (text) => escapeFormula(text) },
  });
}
