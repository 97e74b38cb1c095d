/** What would end a line, move the cursor or change the direction of the text. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The text as one word of a shell, on one line. With control characters, of a shell that knows `$'…'`, such as bash. */
export function shellWord(text: string): string {
  if (/^[\w:/.,@%+=-]+$/.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[^\p{L}\p{N}/:.-]/gu, (one) => `\\U${hex(one)}`);
  return `$'${escaped}'`;
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).padStart(8, '0');
