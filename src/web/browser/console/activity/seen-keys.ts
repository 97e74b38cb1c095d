import type { Shop } from '../data/shop.ts';

export interface SeenKey {
  readonly id: string;
  readonly name: string;
}

/** A filter leaves out most keys from the list, and they have to stay among those to choose from. */
const seen = new WeakMap<Shop, Map<string, string>>();

/** The keys that have been seen in the activity during this session, in order of name; with the chosen one, seen or not. */
export function seenKeys(shop: Shop, chosen: string | undefined): readonly SeenKey[] {
  const names = seen.get(shop) ?? new Map<string, string>();
  seen.set(shop, names);
  // The latest come first, with the name that a key has now.
  for (const { keyId, keyName } of (shop.activityList.items.value ?? []).toReversed())
    if (keyId !== null && keyName !== null) names.set(keyId, keyName);
  const known = [...names].map(([id, name]) => ({ id, name }));
  const all =
    chosen === undefined || names.has(chosen) ? known : [...known, { id: chosen, name: `Key ${chosen}` }];
  return all.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}
