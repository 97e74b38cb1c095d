import { type Call, randomId } from './call.ts';
import { toJson, toQuery } from './encode.ts';
import { invalidArgument } from './errors.ts';
import { checkQuery, type ListPath } from './known-keys.ts';
import type { Pet } from './models.ts';
import { unexpectedResponse } from './response.ts';
import type { Answer, Transport } from './transport.ts';
import type { CallOptions, CreateOptions, Page, PetWithEtag } from './types.ts';

/** The page size of walks: the largest that the service allows, for the fewest requests. */
const WALK_LIMIT = 100;

const IDEMPOTENCY_KEY = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/;

const ENTITY_TAG = /^"[\x21\x23-\x7e]+"$/;

export const valueAs = <T>({ value }: Answer): T => value as T;

export const readPet = ({ value, headers }: Answer): PetWithEtag => ({
  ...(value as Pet),
  etag: headers.get('etag') ?? undefined,
});

export function get<T>(
  transport: Transport,
  path: string,
  options: CallOptions,
  read: (answer: Answer) => T = valueAs,
): Promise<T> {
  const outgoing = { method: 'GET', url: transport.url(path) } as const;
  return transport.run(options, async (call) => read(await transport.send(call, outgoing)));
}

/** Every attempt has the same Idempotency-Key, so that the service executes the request once. */
export async function create<T>(
  transport: Transport,
  path: string,
  fields: object,
  { idempotencyKey = randomId(), ...options }: CreateOptions,
  read: (answer: Answer) => T = valueAs,
): Promise<T> {
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw invalidArgument(
      'idempotencyKey must be 1 to 255 visible ASCII characters without spaces, not beginning with a quote.',
    );
  }
  const outgoing = {
    method: 'POST',
    url: transport.url(path),
    body: toJson(fields),
    idempotencyKey,
  } as const;
  return transport.run(options, async (call) => read(await transport.send(call, outgoing)));
}

/** Sent without the condition, the request would change an animal in any state. */
export function checkIfMatch(ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !ENTITY_TAG.test(ifMatch)) {
    throw invalidArgument('ifMatch must be the etag of an animal, which a call of this client returned.');
  }
}

/** One page of the list at `path`. `query` is an object of filters or the `next` of an earlier page. */
export async function list<T>(
  transport: Transport,
  call: Call,
  path: ListPath,
  query: object | string,
): Promise<Page<T>> {
  if (typeof query === 'object') checkQuery(path, query);
  const url = pageUrl(transport.url(path), query);
  const answer = await transport.send(call, { method: 'GET', url });
  if (!Array.isArray(answer.value)) throw unexpectedResponse(answer, 'is not a list');
  try {
    return { items: answer.value as T[], next: nextPage(url, answer.headers.get('link')) };
  } catch (cause) {
    // Ignored, the list would end early without a trace.
    throw unexpectedResponse(answer, 'has a broken Link header', cause);
  }
}

/** The items of every page from that of `query` on. */
export async function* walk<T, Query extends object>(
  listPage: (query: Query | string) => Promise<Page<T>>,
  query: Query,
): AsyncGenerator<T, void, undefined> {
  let next: Query | string | undefined = { limit: WALK_LIMIT, ...query };
  while (next !== undefined) {
    const page: Page<T> = await listPage(next);
    yield* page.items;
    next = page.next;
  }
}

function pageUrl(list: URL, query: object | string): URL {
  if (typeof query === 'object') return new URL(list + toQuery(query));
  try {
    return withQueryOf(list, query);
  } catch {
    throw invalidArgument('query must be an object, or the next of an earlier page.');
  }
}

const LINK = /<([^<>]*)>([^<]*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i;

/** The address of the page that follows `url`, according to a Link header (RFC 8288). Throws when it leads to no page. */
export function nextPage(url: URL, link: string | null): string | undefined {
  for (const [, reference = '', parameters = ''] of link?.matchAll(LINK) ?? []) {
    const [, quoted, bare] = REL.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return withQueryOf(url, reference).href;
  }
  return undefined;
}

/**
 * The page of a list that a reference leads to. Throws when it is not a URL, or has no query: it would lead to the first page
 * again. Only the query of the reference is used, because all pages of a list have the same address: so the API key is never
 * sent elsewhere, and a proxy may serve the list under another path.
 */
function withQueryOf(list: URL, reference: string): URL {
  const page = new URL(list);
  page.search = new URL(reference, list).search;
  if (page.search === '') throw new TypeError(`No query: ${reference}`);
  return page;
}
