import type { KeptKey } from './data/sessions.ts';

/** In the storage of the browser. Services below different paths of one host have keys of their own. */
export function keptKeyOf(path: string): KeptKey {
  const place = `animal-store key of ${path}`;
  return {
    get: () => storage()?.getItem(place) ?? undefined,
    set: (key) => storage()?.setItem(place, key),
    forget: () => storage()?.removeItem(place),
    onChangeElsewhere: (listener) =>
      addEventListener('storage', ({ key, newValue }) => {
        if (key === place || key === null) listener(newValue ?? undefined);
      }),
    get isPossible() {
      return storage() !== undefined;
    },
  };
}

/** The storage of this browser; undefined where the person has switched it off. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
