import { ApiError } from '../../contract/errors.ts';
import type { Encoding, Page } from '../../web/assets.ts';
import type { RequestHeaders } from '../request/headers.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import type { Answer } from '../response/answer.ts';

const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** `/` and `/docs`, the pages for people, and their assets. None needs a key. */
export function addPages(routes: Routes): void {
  for (const path of ['/', '/docs', '/assets/{name}']) {
    routes.add('GET', path, {
      inputs: {},
      // Loaded at the first request: the service starts as fast as without pages.
      handle: async ({ request }) =>
        pageAnswer(request, await (await import('../../web/assets.ts')).loadPages()),
    });
  }
}

function pageAnswer({ path, headers }: HttpRequest, pages: ReadonlyMap<string, Page>): Answer {
  const page = pages.get(path);
  if (!page)
    throw new ApiError(
      'not_found',
      'There is no such file. Load the page again: a new version has other files.',
    );
  if (hasCopy(headers, page.etag)) return { status: 304, headers: page.headers, body: '' };
  const encoding = PREFERRED.find((name) => accepts(headers, name)) ?? 'identity';
  const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding];
  return { status: 200, headers: [...page.headers, ...encoded], body: page.bodies[encoding] };
}

const items = (headers: RequestHeaders, name: string): string[] =>
  (headers.list(name) ?? '').split(',').map((item) => item.trim());

const hasCopy = (headers: RequestHeaders, etag: string): boolean =>
  items(headers, 'if-none-match').some((item) => item === '*' || item === etag || `W/${item}` === etag);

/** Named and not excluded by `q=0`. Without a mention the plain text is sent, which every client reads. */
const accepts = (headers: RequestHeaders, encoding: string): boolean =>
  items(headers, 'accept-encoding').some((item) => {
    const [name = '', ...parameters] = item.toLowerCase().split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
