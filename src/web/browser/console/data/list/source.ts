import type { Page } from '../../../../../client/index.ts';
import type { Table } from '../cache/table.ts';

/** Where a list comes from. */
export interface Source<Id, T extends { readonly id: Id }, Query> {
  /** Where its items are kept. */
  readonly table: Table<Id, T>;
  /** A page of the items that match: the first, or the one at the address that the page before it has as `next`. */
  page(query: Query, address: string | undefined, limit: number): Promise<Page<T>>;
  /** Asks for the present state of these, which are no longer among the pages. */
  lookUp(ids: readonly Id[]): Promise<void>;
  /** Whether an item belongs to the list. Undefined where only the service can tell. */
  matches?: ((item: T, query: Query) => boolean) | undefined;
  /** Negative if `one` comes before `other` in the list. */
  compare(one: T, other: T): number;
  /** How many short pages are followed at a time, where that is not as usual. */
  readonly shortPages?: number | undefined;
}
