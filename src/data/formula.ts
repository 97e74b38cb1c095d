/** A spreadsheet would run such a cell as a formula, also after apostrophes that an earlier export has added. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Text that a spreadsheet shows as it is: an apostrophe marks it as text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Undoes `escapeFormula`, for every text. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
