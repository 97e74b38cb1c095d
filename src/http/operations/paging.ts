import { decodeCursor, encodeCursor, type Position } from '../../contract/cursor.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Page } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { HttpRequest } from '../request/request.ts';

type ListRequest = Pick<HttpRequest, 'query' | 'endpoint'>;

interface ListCall<Filter> {
  readonly request: ListRequest;
  readonly query: Filter & { readonly limit: number; readonly cursor?: string | undefined };
}

type PageQuery<Filter> = Omit<Filter, 'limit' | 'cursor'> & {
  readonly limit: number;
  readonly from: Position | undefined;
};

/**
 * One page of `list`, read by `fetch`. When there are more items, the answer's Link header leads to the next page, by a cursor
 * that is valid for this list and filter only. `isKey` checks the key of a position, in a list that is ordered by a key.
 */
export async function page<Filter>(
  list: string,
  { request, query }: ListCall<Filter>,
  fetch: (query: PageQuery<Filter>) => Promise<Page>,
  isKey: (key: string) => boolean = () => true,
): Promise<Answer> {
  const { limit, cursor, ...filter } = query;
  const scope = scopeOf(list, filter);
  const from = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && (!from || !isKey(from.key ?? ''))) {
    throw new ApiError(
      'invalid_parameter',
      'cursor belongs to another list or filter: start again without it.',
    );
  }
  const { json, next } = await fetch({ ...filter, limit, from });
  if (next === undefined) return jsonAnswer(200, json);
  return jsonAnswer(200, json, 'link', nextLink(request, 'cursor', encodeCursor(scope, next)));
}

/** As JSON, so that no text of a filter can be taken for another filter. */
function scopeOf(list: string, filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (given.length === 0) return list;
  const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
  return JSON.stringify([list, ...given.sort().map(([name, value]) => [name, textOf(value)])]);
}

/**
 * The link to the same list, starting at `place`. It repeats the parameters that the list knows as they were sent: unknown ones could make
 * the header longer than a proxy accepts. It is a query alone, so that it resolves below any path prefix of a proxy.
 */
export function nextLink({ query, endpoint }: ListRequest, name: string, place: string): string {
  const known = endpoint.inputs.query?.entries ?? {};
  const kept = query
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .split('&')
    .filter((part) => {
      // The ampersand keeps a leading question mark, which is a part of the name.
      const [given = ''] = new URLSearchParams(`&${part}`).keys();
      return given !== name && Object.hasOwn(known, given);
    });
  return `<?${[...kept, `${name}=${place}`].join('&')}>; rel="next"`;
}
