import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import { isNoneMatch, parsePrecondition } from '../../contract/precondition.ts';
import { type Deployments, servers } from '../../contract/servers.ts';
import type { Page } from '../../web/assets.ts';
import type { Bodies, Encoding } from '../../web/site.ts';
import { type Answer, JSON_TYPE } from '../answer.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import type { RequestHeaders } from '../server/exchange.ts';

/** `/openapi.json`: the document of the interface, without a key. It is made once, at the first request. */
export function addOpenapi(routes: Routes, deployments: Deployments): void {
  let document: Document | undefined;
  routes.add('GET', '/openapi.json', {
    inputs: {},
    access: 'public',
    async handle({ request }) {
      document ??= await documentFor(deployments);
      return documentAnswer(request.headers, document);
    },
  });
}

/** Unless deployments are configured, the server is relative to the document, so that it fits any host, scheme or path prefix. */
async function documentFor(deployments: Deployments): Promise<Document> {
  const { openapi } = await import('../../contract/openapi/document.ts');
  const identity = Buffer.from(JSON.stringify(openapi(servers(deployments, `.${BASE_PATH}`))));
  const etag = `W/"${hash('sha256', identity).slice(0, 32)}"`;
  const headers = ['content-type', JSON_TYPE, 'etag', etag, 'vary', 'accept-encoding'];
  return { headers, etag, bodies: { identity, gzip: await promisify(gzip)(identity) } };
}

/** `/` and `/docs`, the pages for people, and their assets. None needs a key. */
export function addPages(routes: Routes, stagingBaseUrl: string | undefined): void {
  let pages: Promise<ReadonlyMap<string, Page>> | undefined;
  const loadOnce = () => {
    // Loaded at the first request, so that the pages do not slow down the start.
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

/** As a page, but perhaps not in every encoding. */
type Document = Omit<Page, 'bodies'> & { readonly bodies: Partial<Bodies> & Pick<Bodies, 'identity'> };

const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** The document in an encoding that the client accepts, or 304 if the client has a copy. */
function documentAnswer(headers: RequestHeaders, document: Document): Answer {
  const { etag, bodies } = document;
  const { value } = parsePrecondition(undefined, headers.list('if-none-match'));
  if (value && !isNoneMatch(value, etag)) return { status: 304, headers: document.headers, body: '' };
  const encoding = encodingFor(headers, bodies);
  const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding];
  return {
    status: 200,
    headers: [...document.headers, ...encoded],
    body: bodies[encoding] ?? bodies.identity,
  };
}

/** The first available encoding that the client names and does not exclude by `q=0`; otherwise `identity`, which every client reads. */
function encodingFor(headers: RequestHeaders, bodies: Document['bodies']): Encoding {
  const accepted = headers.list('accept-encoding') ?? '';
  const named = accepted.split(',').map((item) => item.trim().toLowerCase());
  return PREFERRED.find((one) => bodies[one] && named.some((item) => accepts(item, one))) ?? 'identity';
}

function accepts(item: string, encoding: Encoding): boolean {
  if (!item.startsWith(encoding)) return false;
  const [name, ...parameters] = item.split(';').map((part) => part.trim());
  return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}
