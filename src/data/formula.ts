/**
 * A spreadsheet would run such a cell as a formula, also after white space, which some trim, and after apostrophes that an earlier export
 * has added. Only the beginning of a cell counts: a `;` or a line break in it is inside of quotes, where RFC 4180 makes it text. A
 * reader that splits there tears every name with such a character apart, and no mark within the name would tell it where a cell begins.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Text that a spreadsheet shows as it is: an apostrophe marks it as text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Undoes `escapeFormula`, for every text. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
