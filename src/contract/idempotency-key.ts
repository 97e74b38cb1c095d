import type { Validated } from './validate.ts';

const MAX = 255;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;
/** What Postman sends in a header that it has no value for: all requests would have the same key. */
const PLACEHOLDER = '<string>';
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** The Idempotency-Key header, given all its values; undefined when the request has none. */
export function parseIdempotencyKey(sent: readonly string[]): Validated<string | undefined> {
  if (sent.length === 0) return { value: undefined, problems: [] };
  if (sent.includes(PLACEHOLDER))
    return {
      problems: [
        `Idempotency-Key is the placeholder ${PLACEHOLDER}: send a key of your own, or leave the header out`,
      ],
    };
  const key = sent.length === 1 ? unquoted(sent[0] as string) : undefined;
  if (key === undefined)
    return {
      problems: [
        `Idempotency-Key must be given once, with 1 to ${MAX} ASCII characters: without spaces, or in double quotes`,
      ],
    };
  if (key.length > MAX)
    return { problems: [`Idempotency-Key must have at most ${MAX} characters, not ${key.length}`] };
  return { value: key, problems: [] };
}

/** For an operation whose response cannot be sent again, because it has a secret that is not stored. */
export function refuseIdempotencyKey(sent: readonly string[]): Validated<undefined> {
  if (sent.length === 0) return { value: undefined, problems: [] };
  return {
    problems: [
      'Idempotency-Key cannot be used here, because the response has an API key that is never stored: leave it out, and if a response is lost, revoke the key that was created',
    ],
  };
}

function unquoted(sent: string): string | undefined {
  if (BARE.test(sent)) return sent;
  return QUOTED.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1');
}
