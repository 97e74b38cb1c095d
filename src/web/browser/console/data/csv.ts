import type { Pet } from '../../../../client/index.ts';
import { escapeFormula } from '../../../../data/formula.ts';
import { categoryNames } from './categories.ts';

/** The columns of `animal-store export --with-category`. */
export const CSV_HEADER = line(['id', 'name', 'categoryId', 'status', 'category']);

/** The row of an animal, as the command line exports it. */
export const csvRow = ({ id, name, categoryId, status }: Pet): string =>
  line([
    id,
    escapeFormula(name),
    categoryId,
    status,
    escapeFormula(categoryNames.peek().get(categoryId) ?? ''),
  ]);

/** RFC 4180. Text is quoted, so that any line break in it is kept. */
function line(cells: readonly (string | bigint)[]): string {
  const written = cells.map((cell) =>
    typeof cell === 'string' && cell !== '' ? `"${cell.replaceAll('"', '""')}"` : `${cell}`,
  );
  return `${written.join(',')}\r\n`;
}
