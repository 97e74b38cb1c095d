import { decodeCursor, encodeCursor } from '../../contract/cursor.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Page } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../response/answer.ts';

interface ListCall<Filter> {
  readonly request: { readonly query: string };
  readonly query: Filter & { readonly limit: number; readonly cursor?: string | undefined };
}

type PageQuery<Filter> = Omit<Filter, 'limit' | 'cursor'> & {
  readonly limit: number;
  readonly before: bigint | undefined;
};

/**
 * One page of `list`, read by `fetch`. When there are more items, the answer's Link header leads to the next page, by a cursor
 * that is valid for this list and filter only.
 */
export async function page<Filter>(
  list: string,
  { request, query }: ListCall<Filter>,
  fetch: (query: PageQuery<Filter>) => Promise<Page>,
): Promise<Answer> {
  const { limit, cursor, ...filter } = query;
  const scope = scopeOf(list, filter);
  const before = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && before === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'cursor belongs to another list or filter: start again without it.',
    );
  }
  const page = await fetch({ ...filter, limit, before });
  if (latest?.page === page && latest.query === request.query) return latest.answer;
  const answer = answerOf(page);
  latest = { page, query: request.query, answer };
  return answer;

  function answerOf({ json, last }: Page): Answer {
    if (last === undefined) return jsonAnswer(200, json);
    return jsonAnswer(200, json, 'link', nextLink(request.query, encodeCursor(scope, last)));
  }
}

/** The latest answer: requests that shared a read have the same page, and then the same answer. */
let latest: { readonly page: Page; readonly query: string; readonly answer: Answer } | undefined;

function scopeOf(list: string, filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return [list, ...given.sort()].join('&');
}

/** Whether a part of a query is the cursor, even if its name is percent-encoded. */
function isCursor(part: string): boolean {
  return part.startsWith('cursor=') || (part.includes('%') && new URLSearchParams(part).has('cursor'));
}

/** The same list with every given parameter as it was. A query alone resolves below any path prefix of a proxy. */
function nextLink(query: string, cursor: string): string {
  const kept = query
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .split('&')
    .filter((part) => part !== '' && !isCursor(part));
  return `<?${[...kept, `cursor=${cursor}`].join('&')}>; rel="next"`;
}
