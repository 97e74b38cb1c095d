import { computed, effect, signal } from '@preact/signals';
import { AnimalStoreError } from '../../../../client/index.ts';
import { isExplained, session } from './session.ts';

const SLOW_MS = 3000;

export type TroubleKind = 'offline' | 'unreachable' | 'unavailable' | 'limited' | 'failed';

export interface Trouble {
  readonly kind: TroubleKind;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Identifies the request in the log of the service, when it is worth reporting. */
  readonly requestId: string | undefined;
}

/** Why what is shown may be out of date; undefined while all is well. */
export const trouble = signal<Trouble | undefined>(undefined);
export const isOffline = computed(() => trouble.value?.kind === 'offline');
/** The service has let a request wait for a while. */
export const slow = computed(() => slowRequests.value > 0);
const slowRequests = signal(0);

/** The trouble of one person is none of the next one's. */
effect(() => {
  if (!session.value) trouble.value = undefined;
});

/** Waits for a read, and says when that takes long. */
export async function watched<T>(read: Promise<T>): Promise<T> {
  let late = 0;
  const timer = setTimeout(() => (slowRequests.value += late = 1), SLOW_MS);
  try {
    return await read;
  } finally {
    clearTimeout(timer);
    slowRequests.value -= late;
  }
}

/** Shows why something could not be loaded. The next refresh that succeeds in everything takes it back. */
export function reportTrouble(error: unknown): void {
  if (!(error instanceof AnimalStoreError)) throw error;
  const { retryAfterMs, requestId } = error;
  if (!isExplained(error)) trouble.value = { kind: troubleKind(error), retryAfterMs, requestId };
}

export function troubleKind({ status }: AnimalStoreError): TroubleKind {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status > 0) return 'failed';
  return navigator.onLine ? 'unreachable' : 'offline';
}
