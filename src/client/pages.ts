const LINK = /<([^<>]*)>([^<]*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i;

/** The address of the page that follows `url`, according to a Link header (RFC 8288). Throws when it leads to no page. */
export function nextPage(url: URL, link: string | null): string | undefined {
  for (const [, reference = '', parameters = ''] of link?.matchAll(LINK) ?? []) {
    const [, quoted, bare] = REL.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return withQueryOf(url, reference).href;
  }
  return undefined;
}

/**
 * The page of a list that a reference leads to. Throws when it is not a URL, or has no query: it would lead to the first page
 * again. Only the query of the reference is used, because all pages of a list have the same address: so the API key is never
 * sent elsewhere, and a proxy may serve the list under another path.
 */
export function withQueryOf(list: URL, reference: string): URL {
  const page = new URL(list);
  page.search = new URL(reference, list).search;
  if (page.search === '') throw new TypeError(`No query: ${reference}`);
  return page;
}
