import { computed, signal } from '@preact/signals';
import { AnimalStoreError } from '../../../../client/index.ts';

const SLOW_MS = 3000;

export type FailureKind = 'offline' | 'unreachable' | 'unavailable' | 'limited' | 'failed';

export interface Failure {
  readonly kind: FailureKind;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Identifies the request in the log of the service, when it is worth reporting. */
  readonly requestId: string | undefined;
}

/** How well the service can be reached. */
export class Connection {
  /** Why what is shown may be out of date; undefined while all is well. */
  readonly failure = signal<Failure | undefined>(undefined);
  readonly isOffline = computed(() => this.failure.value?.kind === 'offline');
  readonly #slowRequests = signal(0);
  /** The service has let a request wait for a while. */
  readonly isSlow = computed(() => this.#slowRequests.value > 0);

  /** Waits for a read, and tells when that takes long. */
  async watch<T>(read: Promise<T>): Promise<T> {
    let late = 0;
    const timer = setTimeout(() => (this.#slowRequests.value += late = 1), SLOW_MS);
    try {
      return await read;
    } finally {
      clearTimeout(timer);
      this.#slowRequests.value -= late;
    }
  }

  /** Shows why something could not be loaded. The next refresh that succeeds in everything takes it back. */
  report({ status, retryAfterMs, requestId }: AnimalStoreError): void {
    this.failure.value = { kind: failureKind(status), retryAfterMs, requestId };
  }
}

export function failureKind(status: number): FailureKind {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status > 0) return 'failed';
  const { onLine } = navigator as { readonly onLine?: boolean };
  return onLine === false ? 'offline' : 'unreachable';
}

export const statusOf = (error: unknown): number => (error instanceof AnimalStoreError ? error.status : 0);

/** Whether the service has said no, so that another attempt is a new one. */
export const isRefusal = (error: unknown): boolean =>
  [400, 403, 404, 409, 410, 412, 422].includes(statusOf(error));
