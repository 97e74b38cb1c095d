/** A character, or half of one, as JSON and JavaScript escape it: `\u0007`. */
export const unicodeEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
