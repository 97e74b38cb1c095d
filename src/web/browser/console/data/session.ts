import { batch, signal } from '@preact/signals';
import { AnimalStore, AnimalStoreError, type CurrentKey } from '../../../../client/index.ts';
import { apiBase } from '../../shared/service.ts';
import { heardFetch } from './heard-fetch.ts';
import { forgetKey, keepKey, keptKey, onKeptElsewhere } from './kept-key.ts';

const READ_TIMEOUT_MS = 20_000;
const WRITE_RETRIES = 2;
/** How often, and at what interval, a new key is tried again while the service cannot be reached. */
const NEW_KEY_ATTEMPTS = 20;
const NEW_KEY_PAUSE_MS = 500;

/** A signed-in person. The key is only in here: in memory, gone with the tab, a reload or signing out, unless it is kept. */
export interface Session {
  /** Never retries by itself: the next refresh is the retry. */
  readonly reads: AnimalStore;
  /** Retries what is safe to retry. */
  readonly writes: AnimalStore;
  /** Follows the changes, and reports whether anything arrives. */
  readonly changes: (heard: (isAlive: boolean) => void) => AnimalStore;
  /** What the key is called, and what it allows. */
  readonly key: CurrentKey;
  /** Aborted by signing out. Every call gets it, so that nothing of it appears to the next person. */
  readonly signal: AbortSignal;
}

export const session = signal<Session | undefined>(undefined);
/** The key was accepted before and is not any more. What is on the page stays there until the next sign-in. */
export const keyRejected = signal(false);

let visit = new AbortController();
/** Whether this browser keeps the key for the next visit. */
let isKept = false;

export function signedIn(): Session {
  if (!session.value) throw new Error('Not signed in.');
  return session.value;
}

/** Checks the key with the service. */
async function open(apiKey: string): Promise<Session> {
  let opened: Session | undefined;
  // A late answer to an earlier key says nothing about the present one.
  const observedFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status === 401 && opened && session.peek() === opened) keyRejected.value = true;
    return response;
  };
  const client = (limits: { maxRetries: number; timeoutMs?: number }) =>
    new AnimalStore({ baseUrl: apiBase, apiKey, fetch: observedFetch, ...limits });
  const reads = client({ maxRetries: 0, timeoutMs: READ_TIMEOUT_MS });
  const { signal } = visit;
  const key = await reads.getCurrentKey({ signal });
  const changes = (heard: (isAlive: boolean) => void) =>
    new AnimalStore({ baseUrl: apiBase, apiKey, fetch: heardFetch(observedFetch, heard) });
  opened = { reads, writes: client({ maxRetries: WRITE_RETRIES }), changes, key, signal };
  return opened;
}

function start(opened: Session, apiKey: string, keep: boolean): void {
  isKept = keep;
  if (keep) keepKey(apiKey);
  else forgetKey();
  // Together: whatever follows the session must see the key as accepted.
  batch(() => {
    keyRejected.value = false;
    session.value = opened;
  });
}

/** Returns what to tell the person when the key is not accepted. `keep` is for the next visit. */
export async function signIn(apiKey: string, keep: boolean): Promise<string | undefined> {
  try {
    start(await open(apiKey), apiKey, keep);
    return undefined;
  } catch (error) {
    if (statusOf(error) === 401 && keptKey() === apiKey) forgetKey();
    return signInProblem(error);
  }
}

/** Goes on with the key that has replaced the one of this session. Until that is accepted, the old one serves. */
export async function takeOver(apiKey: string): Promise<void> {
  const replaced = session.peek();
  for (let attempt = 0; attempt < NEW_KEY_ATTEMPTS; attempt++) {
    const opened = await open(apiKey).catch(statusOf);
    if (!replaced || session.peek() !== replaced) return;
    if (typeof opened !== 'number') {
      // A rotated key has the name of the old one; any other belongs to another person.
      if (opened.key.name === replaced.key.name) start(opened, apiKey, isKept);
      return;
    }
    await new Promise((done) => setTimeout(done, NEW_KEY_PAUSE_MS));
  }
}

const statusOf = (error: unknown): number => (error instanceof AnimalStoreError ? error.status : 0);

/** Signing in with the key that this browser keeps: under way, or why it has failed. */
export const returning = signal<{ readonly problem: string | undefined } | undefined>(undefined);

/** Signs in with the kept key, if there is one. Only the service's no forgets it. */
export async function returnToSession(): Promise<void> {
  const key = keptKey();
  if (key === undefined) return;
  returning.value = { problem: undefined };
  const problem = await signIn(key, true);
  // A key that the service has refused is forgotten: the form asks for another one.
  returning.value = session.peek() || keptKey() === undefined ? undefined : { problem };
}

/** Signing out in one tab that keeps its key signs out in all of them; rotating it goes on in all of them. */
onKeptElsewhere((kept) => {
  if (!isKept || keyRejected.peek()) return;
  if (kept === undefined) signOut();
  else void takeOver(kept);
});

export function signOut(): void {
  isKept = false;
  forgetKey();
  batch(() => {
    returning.value = undefined;
    session.value = undefined;
    keyRejected.value = false;
  });
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
