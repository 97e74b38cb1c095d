import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../contract/errors.ts';
import { type Bodies, compress, readSite } from './site.ts';

/** A finished answer to GET, but for its status and length. */
export interface Page {
  /** Alternating names and values, the same for every encoding. */
  readonly headers: readonly string[];
  readonly etag: string;
  readonly bodies: Bodies;
}

/** No inline script or style, no other host, no frame; and no string ever becomes markup (trusted types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const SAFETY = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
].flat();

const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What `npm run build` has written beside this file. A checkout has none: it bundles its sources. */
const BUILT = fileURLToPath(new URL('site', import.meta.url));
const NOT_BUNDLED =
  'This checkout cannot show its pages, because the development dependencies are not installed. Run `npm ci --include=dev`, or install the package, which contains the pages.';

let pages: Promise<ReadonlyMap<string, Page>> | undefined;

/** The pages and their assets by path. Made at the first call: the service starts as fast as without pages. */
export function loadPages(): Promise<ReadonlyMap<string, Page>> {
  pages ??= makePages();
  pages.catch(() => (pages = undefined));
  return pages;
}

async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const site = existsSync(BUILT) ? await readSite(BUILT) : await bundleSources();
  return new Map([...site].map(([path, bodies]) => [path, toPage(path, bodies)]));
}

async function bundleSources(): Promise<ReadonlyMap<string, Bodies>> {
  const { bundlePages } = await import('./bundle.ts');
  const files = await bundlePages().catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new ApiError('not_found', NOT_BUNDLED) : error;
  });
  const compressed = [...files].map(async ([path, text]) => [path, await compress(text)] as const);
  return new Map(await Promise.all(compressed));
}

export function toPage(path: string, bodies: Bodies): Page {
  const etag = `W/"${hash('sha256', bodies.identity).slice(0, 32)}"`;
  const isAsset = path.startsWith('/assets/');
  const headers = [
    ...['content-type', TYPES[extname(path)] ?? ''],
    ...['cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...['etag', etag],
    ...['vary', 'accept-encoding'],
    ...['content-security-policy', POLICY],
    ...SAFETY,
  ];
  return { headers, etag, bodies };
}
