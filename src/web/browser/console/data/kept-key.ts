import { apiBase } from '../../shared/service.ts';

/** Services below different paths of one host have keys of their own. */
const PLACE = `animal-store key of ${apiBase.pathname}`;

/** The storage of this browser; undefined where the person has switched it off. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export const canKeepKey = (): boolean => storage() !== undefined;

/** The key that this browser was asked to keep. */
export const keptKey = (): string | undefined => storage()?.getItem(PLACE) ?? undefined;

export function keepKey(key: string): void {
  storage()?.setItem(PLACE, key);
}

export function forgetKey(): void {
  storage()?.removeItem(PLACE);
}

/** Calls `listener` when another tab keeps another key, or none any more. */
export function onKeptElsewhere(listener: (kept: string | undefined) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === PLACE || key === null) listener(newValue ?? undefined);
  });
}
