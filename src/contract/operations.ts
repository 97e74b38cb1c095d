import type { Operation } from './operation.ts';
import { categoryOperations } from './operations/categories.ts';
import { eventOperations } from './operations/events.ts';
import { keyOperations } from './operations/keys.ts';
import { petOperations } from './operations/pets.ts';
import { storeOperations } from './operations/store.ts';

/** Every operation of the API, in the order of the documents. */
export const operations = {
  ...petOperations,
  ...categoryOperations,
  ...storeOperations,
  ...eventOperations,
  ...keyOperations,
} as const satisfies Record<string, Operation>;
