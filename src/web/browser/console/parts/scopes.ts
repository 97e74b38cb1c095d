import type { KeyScope } from '../../../../client/index.ts';

/** What a scope opens, in the words of the shop. */
export const scopeWords: Readonly<Record<KeyScope, string>> = {
  '*': 'Everything, including the keys',
  'pets:read': 'See animals',
  'pets:write': 'Add, edit and remove animals',
  'store:read': 'See orders',
  'store:write': 'Reserve and sell',
  'events:read': 'See all activity, including orders and names of keys',
  'metrics:read': 'See the metrics of the service',
  'keys:read': 'See keys',
  'keys:write': 'Manage keys',
};

/** All that scopes open, as one sentence: `See animals, reserve and sell`. */
export function describeScopes(scopes: readonly KeyScope[]): string {
  const words = scopes.map((scope) => scopeWords[scope]);
  return words.map((word, index) => (index === 0 ? word : word[0]?.toLowerCase() + word.slice(1))).join(', ');
}
