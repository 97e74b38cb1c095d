import { randomId } from './call.ts';
import { toJson, toQuery } from './encode.ts';
import { invalidArgument, rejectUnknown } from './errors.ts';
import type { Pet } from './models.ts';
import { QUERY_KEYS } from './queries.ts';
import { unexpectedResponse } from './response.ts';
import type { Answer, Outgoing, Transport } from './transport.ts';
import type { CallOptions, ChangeOptions, Page, PetWithEtag } from './types.ts';

/** The page size of walks: the largest that the service allows, for the fewest requests. */
const WALK_LIMIT = 100;

const IDEMPOTENCY_KEY = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/;

/** The service makes strong tags, and only those match. A proxy that compresses puts `W/` in front of them. */
const ENTITY_TAG = /^(?:W\/)?("[\x21\x23-\x7e]+")$/;
const strongTag = (tag: string | null | undefined): string | undefined => ENTITY_TAG.exec(tag ?? '')?.[1];

interface Request extends Omit<Outgoing, 'url' | 'body' | 'method'> {
  /** Default: GET. */
  readonly method?: Outgoing['method'];
  readonly path: string;
  readonly fields?: object;
}

export const readPet = ({ value, headers }: Answer): PetWithEtag => ({
  ...(value as Pet),
  etag: strongTag(headers.get('etag')),
});

export async function request<T>(
  transport: Transport,
  { method = 'GET', path, fields, ifMatch, ...rest }: Request,
  options: CallOptions,
  read: (answer: Answer) => T = ({ value }) => value as T,
): Promise<T> {
  const tag = strongTag(ifMatch);
  // Sent without the condition, the request would change an animal in any state.
  if (ifMatch !== undefined && tag === undefined) {
    throw invalidArgument('ifMatch must be the etag of an animal, which a call of this client returned.');
  }
  const body = fields && toJson(fields);
  const outgoing = { ...rest, method, url: transport.url(path), body, ifMatch: tag };
  return transport.run(options, async (call) => read(await transport.send(call, outgoing)));
}

/** Sends a change. Every attempt has the same Idempotency-Key: the service executes the first, and answers the others as it did that one. */
export async function change<T>(
  transport: Transport,
  outgoing: Request,
  { idempotencyKey = randomId(), ...options }: ChangeOptions,
  read?: (answer: Answer) => T,
): Promise<T> {
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw invalidArgument(
      'idempotencyKey must be 1 to 255 visible ASCII characters without spaces, not beginning with a quote.',
    );
  }
  return request(transport, { ...outgoing, idempotencyKey }, options, read);
}

/** One page of the list at `path`. `query` is an object of filters or the `next` of an earlier page. */
export async function list<T>(
  transport: Transport,
  path: keyof typeof QUERY_KEYS,
  query: object | string,
  options: CallOptions,
): Promise<Page<T>> {
  const given = typeof query === 'object' ? Object.keys(query) : [];
  const unknown = given.filter((key) => !QUERY_KEYS[path].includes(key));
  rejectUnknown('query', unknown);
  const url = pageUrl(transport.url(path), query);
  const answer = await transport.run(options, (call) => transport.send(call, { method: 'GET', url }));
  if (!Array.isArray(answer.value)) throw unexpectedResponse(answer, 'is not a list');
  try {
    return { items: answer.value as T[], next: nextPage(url, answer.headers.get('link')) };
  } catch (cause) {
    // If it were ignored, the list would end early without a trace.
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
function nextPage(url: URL, link: string | null): string | undefined {
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
