import { signal } from '@preact/signals';
import { AnimalStore, AnimalStoreError } from '../../../../client/index.ts';
import { type Access, Api, failureKind, READ_OPTIONS, statusOf } from './api.ts';
import { Shop } from './shop.ts';

/** How often, and at what interval, a new key is tried again while the service cannot be reached. */
const NEW_KEY_ATTEMPTS = 20;
const NEW_KEY_PAUSE_MS = 500;

/** The key that a browser was asked to keep for the next visit. */
export interface KeptKey {
  get(): string | undefined;
  set(key: string): void;
  forget(): void;
  /** Calls `listener` when another tab keeps another key, or no longer keeps one. */
  onChangeElsewhere(listener: (kept: string | undefined) => void): void;
  /** Whether this browser can keep one. */
  readonly isPossible: boolean;
}

/**
 * Signing in and out. The key of a session is only in its client: in memory, gone with the tab, a reload or signing out, unless the browser
 * was asked to keep it.
 */
export class Sessions {
  /** The shop of the person who is signed in. */
  readonly current = signal<Shop | undefined>(undefined);
  /** The state of signing in with the key that this browser keeps: in progress, or why it has failed. */
  readonly returning = signal<{ readonly problem: string | undefined } | undefined>(undefined);
  readonly #baseUrl: string | URL;
  readonly #kept: KeptKey;
  #visit = new AbortController();
  #isKept = false;

  constructor(baseUrl: string | URL, kept: KeptKey) {
    this.#baseUrl = baseUrl;
    this.#kept = kept;
    // Signing out in one tab that keeps its key signs out in all of them. After a rotation, all of them use the new key.
    kept.onChangeElsewhere((key) => {
      if (!this.#isKept || this.current.peek()?.api.isRejected.peek()) return;
      if (key === undefined) this.signOut();
      else void this.goOnWith(key);
    });
  }

  async #check(apiKey: string): Promise<Access> {
    const client = new AnimalStore({ baseUrl: this.#baseUrl, apiKey });
    const options = { signal: this.#visit.signal, ...READ_OPTIONS };
    return { client, key: await client.getCurrentKey(options) };
  }

  /** Returns what to tell the person if the key is not accepted. `keep` stores the key for the next visit. */
  async signIn(apiKey: string, keep: boolean): Promise<string | undefined> {
    try {
      const access = await this.#check(apiKey);
      this.#isKept = keep;
      // Another tab may keep a key of its own: signing in without keeping one does not touch it.
      if (keep) this.#kept.set(apiKey);
      const shop = this.current.peek();
      // If the key was rejected during a session, the page continues with what was typed.
      if (shop) shop.api.use(access);
      else this.current.value = new Shop(new Api(access, this.#visit.signal));
      return undefined;
    } catch (error) {
      if (statusOf(error) === 401 && this.#kept.get() === apiKey) this.#kept.forget();
      return signInProblem(error);
    }
  }

  /** Continues with the key that has replaced the one of this session. Until the new key is accepted, the old one is used. */
  async goOnWith(apiKey: string): Promise<void> {
    const replaced = this.current.peek();
    for (let attempt = 0; attempt < NEW_KEY_ATTEMPTS; attempt++) {
      const access = await this.#check(apiKey).catch(() => undefined);
      if (!replaced || this.current.peek() !== replaced) return;
      // A rotated key has the name of the old one; any other belongs to another person.
      if (access && access.key.name !== replaced.api.key.name) {
        this.#isKept = false;
        return;
      }
      if (access) {
        replaced.api.use(access);
        if (this.#isKept) this.#kept.set(apiKey);
        return;
      }
      await new Promise((done) => setTimeout(done, NEW_KEY_PAUSE_MS));
    }
  }

  /** Signs in with the kept key, if there is one. It is forgotten only if the service rejects it. */
  async returnToSession(): Promise<void> {
    const key = this.#kept.get();
    // Another tab may have signed out since the last attempt: the form asks for a key.
    this.returning.value = key === undefined ? undefined : { problem: undefined };
    if (key === undefined) return;
    const problem = await this.signIn(key, true);
    // A key that the service has refused is forgotten: the form asks for another one.
    this.returning.value = this.current.peek() || this.#kept.get() === undefined ? undefined : { problem };
  }

  signOut(): void {
    const isKept = this.#isKept || this.returning.peek() !== undefined;
    this.#isKept = false;
    if (isKept) this.#kept.forget();
    this.returning.value = undefined;
    this.current.value = undefined;
    this.#visit.abort();
    this.#visit = new AbortController();
  }

  /** Whether this browser keeps the key of this session. */
  get keepsKey(): boolean {
    return this.#isKept;
  }

  get canKeepKey(): boolean {
    return this.#kept.isPossible;
  }
}

function signInProblem(error: unknown): string {
  const { status, code } = error instanceof AnimalStoreError ? error : { status: 0, code: '' };
  if (status === 401 || code === 'invalid_argument')
    return 'This key is not accepted. Check that it is complete and has not been revoked.';
  if (status === 429) return 'Too many attempts. Wait a moment and try again.';
  if (status === 503) return 'The store is not available right now. Try again in a moment.';
  if (status > 0) return 'The service answered with an error. Try again in a moment.';
  return failureKind(status) === 'offline'
    ? 'You are offline. Connect to the network and try again.'
    : 'The service cannot be reached. Check your connection and try again.';
}
