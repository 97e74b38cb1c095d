/** An unclosed quote extends to the end, so that any text is scanned only once. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g;
const HANDLING = /^\s*handling\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;

/** Whether the Prefer header asks for `handling=strict` (RFC 7240). Of several preferences the first counts. */
export function prefersStrict(prefer: string | undefined): boolean {
  for (const preference of prefer?.match(PREFERENCE) ?? []) {
    const [, quoted, bare] = HANDLING.exec(preference) ?? [];
    const value = quoted ?? bare;
    if (value !== undefined) return value.toLowerCase() === 'strict';
  }
  return false;
}
