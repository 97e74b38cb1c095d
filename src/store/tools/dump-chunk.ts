import type { Resource, StoreContent } from '../tables.ts';

/** Some of the items of one resource. A dump is a sequence of these, in the order of `RESOURCES`. */
export type DumpChunk = {
  [R in Resource]: { readonly resource: R; readonly items: readonly StoreContent[R][] };
}[Resource];

export type Counts = Record<Resource, number>;
