import type { Page } from '../../../../../client/index.ts';

/** One of several ways to find something: a page of it, from the beginning or from the address of the page before. */
export type Part<T> = (address: string | undefined, limit: number) => Promise<Page<T>>;

interface Place {
  readonly part: number;
  readonly address?: string | undefined;
}

/**
 * What several searches find, one after the other: a page belongs to one of them, and leads on to the next. Something may be found more than
 * once.
 */
export async function pageInParts<T>(
  parts: readonly Part<T>[],
  from: string | undefined,
  limit: number,
): Promise<Page<T>> {
  const { part, address }: Place = from === undefined ? { part: 0 } : (JSON.parse(from) as Place);
  const { items, next } = (await parts[part]?.(address, limit)) ?? { items: [], next: undefined };
  const following = next === undefined ? { part: part + 1 } : { part, address: next };
  return { items, next: following.part < parts.length ? JSON.stringify(following) : undefined };
}
