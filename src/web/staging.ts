import { type Page, toPage } from './page.ts';
import { compress } from './site.ts';

/**
 * The same pages, with the address of the staging deployment in them: a page that was loaded from there says so. The service cannot tell,
 * because a proxy may hide the address that the browser has asked for.
 */
export async function withStaging(
  pages: ReadonlyMap<string, Page>,
  address: string,
): Promise<ReadonlyMap<string, Page>> {
  const meta = `<meta name="staging" content="${escapeAttribute(address)}">\n</head>`;
  const marked = [...pages].map(async ([path, page]) => {
    if (path.startsWith('/assets/')) return [path, page] as const;
    const html = page.bodies.identity.toString().replace('</head>', () => meta);
    return [path, toPage(path, await compress(html))] as const;
  });
  return new Map(await Promise.all(marked));
}

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
