/** The text as one word of a shell command, on one line. With control characters, it needs a shell that knows `$'…'`, such as bash. */
export function shellWord(text: string): string {
  if (/^[\w:/.,@%+=-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  // As bytes, which bash decodes in every locale.
  const escaped = (one: string) => Buffer.from(one).toString('hex').replace(/../g, '\\x$&');
  return `$'${text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\']/gu, escaped)}'`;
}
