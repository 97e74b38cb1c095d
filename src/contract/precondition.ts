import { hash } from 'node:crypto';
import { ApiError } from './errors.ts';
import type { Validated } from './validate.ts';

/** The entity tags of a header as they were sent; `*` is any. */
type EntityTags = '*' | readonly string[];

/** The conditions of a request (RFC 9110, section 13). */
export interface Precondition {
  readonly ifMatch?: EntityTags | undefined;
  readonly ifNoneMatch?: EntityTags | undefined;
}

/** The strong entity tag of a representation: equal exactly if its text is. */
export const entityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;

/** What the headers of a request say; undefined when it has no condition. */
export function parsePrecondition(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): Validated<Precondition | undefined> {
  if (ifMatch === undefined && ifNoneMatch === undefined) return { value: undefined, problems: [] };
  const value = { ifMatch: parseTags(ifMatch), ifNoneMatch: parseTags(ifNoneMatch) };
  const problems = [
    ...(ifMatch !== undefined && !value.ifMatch ? [`If-Match ${MALFORMED}`] : []),
    ...(ifNoneMatch !== undefined && !value.ifNoneMatch ? [`If-None-Match ${MALFORMED}`] : []),
  ];
  return problems.length > 0 ? { problems } : { value, problems: [] };
}

const MALFORMED = 'must be * or a list of entity tags in double quotes, such as "abc"';

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Members of a list may be empty (RFC 9110, section 5.6.1), but between two tags there is a comma. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;

function parseTags(value: string | undefined): EntityTags | undefined {
  if (value?.trim() === '*') return '*';
  return value !== undefined && TAGS.test(value) ? (value.match(TAG) ?? undefined) : undefined;
}

/** Whether `If-Match` allows the request. A weak tag never matches. */
const isMatch = ({ ifMatch }: Precondition, tag: string): boolean =>
  ifMatch === undefined || ifMatch === '*' || ifMatch.includes(tag);

/** Whether `If-None-Match` allows the request. A weak tag matches as a strong one. */
export const isNoneMatch = ({ ifNoneMatch }: Precondition, tag: string): boolean =>
  ifNoneMatch === undefined ||
  !(ifNoneMatch === '*' || ifNoneMatch.some((sent) => opaque(sent) === opaque(tag)));

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/** Throws unless a read may go on. `If-None-Match` never forbids a read: see `isNoneMatch`. */
export function assertMatch(precondition: Precondition, tag: string): void {
  if (!isMatch(precondition, tag)) throw preconditionFailed();
}

/** Throws unless a change of what has this tag may go on. */
export function assertMayChange(precondition: Precondition, tag: string): void {
  assertMatch(precondition, tag);
  if (!isNoneMatch(precondition, tag)) throw preconditionFailed();
}

const preconditionFailed = () =>
  new ApiError(
    'precondition_failed',
    'The animal is not as the request expects it: it has changed meanwhile. Read it again, then decide.',
  );
