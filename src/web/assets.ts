import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { link } from './build/link.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** A finished answer to GET, but for its status and length. */
export interface Page {
  /** Alternating names and values, the same for every encoding. */
  readonly headers: readonly string[];
  readonly etag: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
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

const STYLES = ['base', 'controls', 'console', 'reference', 'motion'];
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
} as const;

let pages: Promise<ReadonlyMap<string, Page>> | undefined;

/** The pages and their assets by path. Made at the first call, from the sources; the start of the service is as before. */
export function loadPages(): Promise<ReadonlyMap<string, Page>> {
  pages ??= buildPages();
  pages.catch(() => (pages = undefined));
  return pages;
}

async function buildPages(): Promise<ReadonlyMap<string, Page>> {
  const [style, icon] = await Promise.all([styleSheet(), read('pages/icon.svg')]);
  const shared = { style: asset(style, '.css'), icon: asset(icon, '.svg') };
  const built = await Promise.all([
    ...Object.values(shared).map(({ path, text }) => page(path, text)),
    ...(await htmlPage('/', 'console', shared)),
    ...(await htmlPage('/docs', 'reference', shared)),
  ]);
  return new Map(built);
}

interface Asset {
  readonly path: string;
  readonly text: string;
}

/** An asset has the digest of its text in its name and can be cached forever. */
const asset = (text: string, extension: keyof typeof TYPES): Asset => ({
  path: `/assets/${hash('sha256', text).slice(0, 16)}${extension}`,
  text,
});

async function htmlPage(path: string, name: string, shared: Readonly<Record<'style' | 'icon', Asset>>) {
  const [template, code] = await Promise.all([
    read(`pages/${name}.html`),
    link(new URL(`browser/${name}/main${extname(import.meta.url)}`, import.meta.url)),
  ]);
  const script = asset(code, '.js');
  const used: Readonly<Record<string, Asset>> = { ...shared, script };
  // Relative, so that the pages also work below a path prefix.
  const html = template.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => used[key]?.path.slice(1) ?? '');
  return [page(path, html), page(script.path, code)];
}

async function page(path: string, text: string): Promise<[string, Page]> {
  const type = TYPES[(extname(path) || '.html') as keyof typeof TYPES];
  const identity = Buffer.from(text);
  const [br, gz] = await Promise.all([
    compressBrotli(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
    compressGzip(identity, { level: 9 }),
  ]);
  const etag = `W/"${hash('sha256', text).slice(0, 32)}"`;
  const isAsset = path.startsWith('/assets/');
  const headers = [
    ...['content-type', type],
    ...['cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...['etag', etag],
    ...['vary', 'accept-encoding'],
    ...['content-security-policy', POLICY],
    ...SAFETY,
  ];
  return [path, { headers, etag, bodies: { br, gzip: gz, identity } }];
}

const read = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), 'utf8');

async function styleSheet(): Promise<string> {
  const parts = await Promise.all(STYLES.map((name) => read(`style/${name}.css`)));
  return parts.join('\n');
}
