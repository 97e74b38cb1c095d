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
  /** Aborted by signing out. Every call gets it, so that nothing of it appears to the next person. */
  readonly signal: AbortSignal;
}

export const session = signal<Session | undefined>(undefined);
/** The key was accepted before and is not any more. What is on the page stays there until the next sign-in. */
export const keyRejected = signal(false);

let visit = new AbortController();

/** Checks the key with the service. Returns what to tell the person when it is not accepted. */
export async function signIn(apiKey: string): Promise<string | undefined> {
  // A late answer to an earlier key says nothing about the present one.
  const observedFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status === 401 && session.peek() === started) keyRejected.value = true;
    return response;
  };
  const client = (limits: { maxRetries: number; timeoutMs?: number }) =>
    new AnimalStore({ baseUrl: apiBase, apiKey, fetch: observedFetch, ...limits });
  let started: Session | undefined;
  try {
    const reads = client({ maxRetries: 0, timeoutMs: READ_TIMEOUT_MS });
    started = { reads, writes: client({ maxRetries: WRITE_RETRIES }), signal: visit.signal };
    await reads.getInventory({ signal: started.signal });
    session.value = started;
    keyRejected.value = false;
    return undefined;
  } catch (error) {
    return signInProblem(error);
  }
}

export function signOut(): void {
  session.value = undefined;
  keyRejected.value = false;
  visit.abort();
  visit = new AbortController();
}

/** Whether the page shows already why a call has failed: it asks for a new key, or the person has signed out. */
export const isExplained = ({ status, code }: AnimalStoreError): boolean =>
  code === 'aborted' || (status === 401 && keyRejected.peek());

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
