import { hash } from 'node:crypto';
import { extname } from 'node:path';
import type { Bodies } from './site.ts';

/** A finished answer to GET, except for its status and length. */
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
