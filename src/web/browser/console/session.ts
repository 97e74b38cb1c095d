import { signal } from '@preact/signals';
import { AnimalStore, AnimalStoreError } from '../../../client/index.ts';
import { apiBase } from '../shared/service.ts';

const READ_TIMEOUT_MS = 20_000;
const WRITE_RETRIES = 2;

/** A signed-in person. The key is only in here: in memory, gone with the tab, a reload or signing out. */
export interface Session {
  /** Never retries by itself: the next refresh is the retry. */
  readonly reads: AnimalStore;
  /** Retries what is safe to retry. */
  readonly writes: AnimalStore;
}

export const session = signal<Session | undefined>(undefined);
/** The key was accepted before and is not any more. What is on the page stays there until the next sign-in. */
export const keyRejected = signal(false);

/** Checks the key with the service. Returns what to tell the person when it is not accepted. */
export async function signIn(apiKey: string): Promise<string | undefined> {
  try {
    const common = { baseUrl: apiBase, apiKey };
    const reads = new AnimalStore({ ...common, maxRetries: 0, timeoutMs: READ_TIMEOUT_MS });
    await reads.getInventory();
    session.value = { reads, writes: new AnimalStore({ ...common, maxRetries: WRITE_RETRIES }) };
    keyRejected.value = false;
    return undefined;
  } catch (error) {
    return signInProblem(error);
  }
}

export function signOut(): void {
  session.value = undefined;
  keyRejected.value = false;
}

function signInProblem(error: unknown): string {
  const { status, code } = error instanceof AnimalStoreError ? error : { status: 0, code: '' };
  if (status === 401 || code === 'invalid_argument') {
    return 'This key is not accepted. Check that it is complete and has not been revoked.';
  }
  if (status === 429) return 'Too many attempts. Wait a moment and try again.';
  if (status === 503) return 'The store is not available right now. Try again in a moment.';
  if (status > 0) return 'The service answered with an error. Try again in a moment.';
  return navigator.onLine
    ? 'The service cannot be reached. Check your connection and try again.'
    : 'You are offline. Connect to the network and try again.';
}
