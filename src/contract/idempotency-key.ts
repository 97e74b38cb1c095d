import type { Validated } from './validate.ts';

const BARE = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** The Idempotency-Key header, given all its values; undefined when the request has none. */
export function parseIdempotencyKey(sent: readonly string[]): Validated<string | undefined> {
  if (sent.length === 0) return { value: undefined, problems: [] };
  const key = sent.length === 1 ? unquoted(sent[0] as string) : undefined;
  if (key !== undefined) return { value: key, problems: [] };
  return {
    problems: [
      'Idempotency-Key must be given once, with 1 to 255 visible characters, bare or in double quotes',
    ],
  };
}

function unquoted(sent: string): string | undefined {
  if (BARE.test(sent)) return sent;
  return QUOTED.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1');
}
