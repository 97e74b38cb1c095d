import type { Page } from '../../../../../client/index.ts';

/** Half a million animals, at 20,000 that the service looks at for one request. */
const SHORT_PAGES = 25;

interface Wanted<T> {
  /** How many items are wanted at least. */
  readonly count: number;
  /** How many items a page has that is not short. */
  readonly pageSize: number;
  /** How many short pages are followed. */
  readonly shortPages?: number | undefined;
  readonly nextPage: (address: string) => Promise<Page<T>>;
  /** Whether the items are still wanted. */
  readonly isCurrent: () => boolean;
}

/**
 * Follows the pages of a list until there are enough items, each of them once. A page of a search may be short or empty although there are
 * more. Only some of those are followed, so that every action of a person comes to an end; `next` then leads on.
 */
export async function fillPage<T extends { readonly id: unknown }>(
  first: Page<T>,
  { count, pageSize, shortPages = SHORT_PAGES, nextPage, isCurrent }: Wanted<T>,
): Promise<Page<T>> {
  const items = new Map(first.items.map((item) => [item.id, item]));
  let page = first;
  let followed = 0;
  while (page.next !== undefined && items.size < count && isCurrent()) {
    if (page.items.length < pageSize && ++followed > shortPages) break;
    page = await nextPage(page.next);
    for (const item of page.items) items.set(item.id, item);
  }
  return { items: [...items.values()], next: page.next };
}
