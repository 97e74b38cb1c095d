/**
 * A cell that a spreadsheet would run as a formula, even after white space, which some trim, and after apostrophes that an earlier
 * export has added. Only the beginning of a cell counts: a `;` or a line break in it is in quotes, where RFC 4180 makes it text. No
 * mark within a name could help a reader that splits cells there.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Text that a spreadsheet shows as it is: an apostrophe marks it as text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Undoes `escapeFormula`, for every text. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
