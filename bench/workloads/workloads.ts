import {
  categoryInventory,
  categoryList,
  categoryPage,
  filteredPage,
  firstPage,
  firstPageFromBrowser,
  getPet,
  randomPages,
} from './read-workloads.ts';
import {
  createByMany,
  createByOne,
  createIdempotentByMany,
  createIdempotentByOne,
  createSplit,
  mix,
  updateByMany,
} from './write-workloads.ts';

/** In the order of the report. Workloads that write come last, so that all reads see the same animals. */
export const workloads = [
  firstPage,
  firstPageFromBrowser,
  randomPages,
  filteredPage,
  categoryPage,
  getPet,
  categoryList,
  categoryInventory,
  createByOne,
  createIdempotentByOne,
  createByMany,
  createIdempotentByMany,
  createSplit,
  updateByMany,
  mix,
];
