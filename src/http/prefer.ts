import type { FastifyRequest } from 'fastify';

/** An unclosed quote reaches to the end, so that the text is read once whatever it holds. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g;
const HANDLING = /^\s*handling\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;

/** Whether the client asked for `Prefer: handling=strict` (RFC 7240). Of several the first counts. */
export function prefersStrict({ headers }: FastifyRequest): boolean {
  for (const preference of String(headers.prefer ?? '').match(PREFERENCE) ?? []) {
    const [, quoted, bare] = HANDLING.exec(preference) ?? [];
    const value = quoted ?? bare;
    if (value !== undefined) return value.toLowerCase() === 'strict';
  }
  return false;
}
