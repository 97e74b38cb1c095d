import { ApiError } from '../../contract/errors.ts';
import type { Page } from '../../web/assets.ts';
import type { Answer } from '../answer.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { documentAnswer } from './document-answer.ts';

/** `/` and `/docs`, the pages for people, and their assets. None needs a key. */
export function addPages(routes: Routes, stagingBaseUrl: string | undefined): void {
  let pages: Promise<ReadonlyMap<string, Page>> | undefined;
  const loadOnce = () => {
    // At the first request: the service starts as fast as without pages.
    pages ??= import('../../web/assets.ts').then(({ loadPages }) => loadPages(stagingBaseUrl));
    pages.catch(() => (pages = undefined));
    return pages;
  };
  for (const path of ['/', '/docs', '/assets/{name}']) {
    routes.add('GET', path, {
      inputs: {},
      access: 'public',
      handle: async ({ request }) => pageAnswer(request, await loadOnce()),
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
  return documentAnswer(headers, page);
}
