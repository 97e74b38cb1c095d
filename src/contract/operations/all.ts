import type { OperationDefinition } from '../operation.ts';
import { categoryOperations } from './categories.ts';
import { eventOperations } from './events.ts';
import { keyOperations } from './keys.ts';
import { petOperations } from './pets.ts';
import { storeOperations } from './store.ts';

/**
 * Every operation of the API, in the order of the documents. Their examples succeed in this order: a key is rotated before it is revoked, and an
 * animal is removed before it is restored.
 */
export const operations = identified({
  ...petOperations,
  ...categoryOperations,
  ...storeOperations,
  ...eventOperations,
  ...keyOperations,
});

/** Gives each operation its name as its id. */
function identified<const Definitions extends Record<string, OperationDefinition>>(definitions: Definitions) {
  const entries = Object.entries(definitions).map(([id, definition]) => [id, { id, ...definition }]);
  return Object.fromEntries(entries) as {
    readonly [Id in keyof Definitions]: Definitions[Id] & { readonly id: Id };
  };
}
