import type { Operation } from '../operation.ts';
import { categoryOperations } from './categories.ts';
import { eventOperations } from './events.ts';
import { keyOperations } from './keys.ts';
import { petOperations } from './pets.ts';
import { storeOperations } from './store.ts';

/**
 * Every operation of the API, in the order of the documents. Their examples succeed in this order: a key is rotated before it is revoked, and an
 * animal is removed before it is restored.
 */
export const operations = {
  ...petOperations,
  ...categoryOperations,
  ...storeOperations,
  ...eventOperations,
  ...keyOperations,
} as const satisfies Record<string, Operation>;
