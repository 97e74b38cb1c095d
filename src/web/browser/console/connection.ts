import { computed, signal } from '@preact/signals';
import { AnimalStoreError } from '../../../client/index.ts';
import { keyRejected } from './session.ts';

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
/** The service has let a request wait for a while. */
export const slow = computed(() => slowRequests.value > 0);
const slowRequests = signal(0);

/** Runs a read and lets the page know how the connection is. */
export async function watched<T>(read: Promise<T>): Promise<T> {
  let late = 0;
  const timer = setTimeout(() => (slowRequests.value += late = 1), SLOW_MS);
  try {
    const result = await read;
    trouble.value = undefined;
    return result;
  } catch (error) {
    report(error);
    throw error;
  } finally {
    clearTimeout(timer);
    slowRequests.value -= late;
  }
}

function report(error: unknown): void {
  if (!(error instanceof AnimalStoreError) || error.code === 'aborted') return;
  if (error.status === 401) keyRejected.value = true;
  else
    trouble.value = {
      kind: troubleKind(error),
      retryAfterMs: error.retryAfterMs,
      requestId: error.requestId,
    };
}

export function troubleKind({ status }: AnimalStoreError): TroubleKind {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status > 0) return 'failed';
  return navigator.onLine ? 'unreachable' : 'offline';
}
