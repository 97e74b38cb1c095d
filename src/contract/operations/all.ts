import type { Operation, OperationDefinition } from '../operation.ts';
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
  ...tagged('pets', petOperations),
  ...tagged('categories', categoryOperations),
  ...tagged('store', storeOperations),
  ...tagged('events', eventOperations),
  ...tagged('keys', keyOperations),
};

/** Gives each operation the tag, and its name as its id. */
function tagged<Tag extends Operation['tag'], Definitions extends Record<string, OperationDefinition>>(
  tag: Tag,
  definitions: Definitions,
) {
  const entries = Object.entries(definitions).map(([id, definition]) => [id, { id, tag, ...definition }]);
  return Object.fromEntries(entries) as {
    readonly [Id in keyof Definitions]: Definitions[Id] & { readonly id: Id; readonly tag: Tag };
  };
}
