import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../contract/errors.ts';
import { type Page, toPage } from './page.ts';
import { type Bodies, compress, readSite } from './site.ts';
import { withStaging } from './staging.ts';

export type { Page } from './page.ts';

/** What `npm run build` has written beside this file. A checkout has none: it bundles its sources. */
const BUILT = fileURLToPath(new URL('site', import.meta.url));
const NOT_BUNDLED =
  'This checkout cannot show its pages, because the development dependencies are not installed. Run `npm ci --include=dev`, or install the package, which contains the pages.';

let pages: Promise<ReadonlyMap<string, Page>> | undefined;

/**
 * The pages and their assets by path. They are made at the first call, so that they do not delay the start. `staging` is the address of
 * the staging deployment, if there is one.
 */
export async function loadPages(staging?: string): Promise<ReadonlyMap<string, Page>> {
  pages ??= makePages();
  pages.catch(() => (pages = undefined));
  return staging === undefined ? pages : withStaging(await pages, staging);
}

/** Why this installation has no pages; undefined if it has them. */
export function missingPages(): string | undefined {
  try {
    if (!existsSync(BUILT)) import.meta.resolve('esbuild');
    return undefined;
  } catch {
    return NOT_BUNDLED;
  }
}

async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const missing = missingPages();
  if (missing !== undefined) throw new ApiError('not_found', missing);
  const site = existsSync(BUILT) ? await readSite(BUILT) : await bundleSources();
  return new Map([...site].map(([path, bodies]) => [path, toPage(path, bodies)]));
}

async function bundleSources(): Promise<ReadonlyMap<string, Bodies>> {
  const { bundlePages } = await import('./bundle.ts');
  const compressed = [...(await bundlePages())].map(
    async ([path, text]) => [path, await compress(text)] as const,
  );
  return new Map(await Promise.all(compressed));
}
