/** The text as one word of a shell, on one line: with control characters, of a shell that knows `$'…'`, such as bash. */
export function shellWord(text: string): string {
  if (/^[\w:/.,@%+=-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (one: string) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, '0')}`;
  return `$'${text.replace(/[^\p{L}\p{N}/:.-]/gu, escaped)}'`;
}
