import { batch, type Signal, signal } from '@preact/signals';
import {
  type AnimalStore,
  AnimalStoreError,
  type CallOptions,
  type ChangeOptions,
  type CurrentKey,
} from '../../../../client/index.ts';
import { isEqual } from './cache/is-equal.ts';
import { Connection } from './connection.ts';
import { allows, type Permission } from './permissions.ts';

/** A read is asked for once: the next refresh is the retry. */
export const READ_OPTIONS = { timeoutMs: 20_000, maxRetries: 0 } as const;

type Request<T, Options = CallOptions> = (client: AnimalStore, options: Options) => Promise<T>;

/** A key, and the client that has it. */
export interface Access {
  readonly client: AnimalStore;
  readonly key: CurrentKey;
}

/** The service, as one key sees it. */
export class Api {
  readonly connection = new Connection();
  readonly #access: Signal<Access>;
  /** Aborted by signing out. Every call gets it, so that nothing of it appears to the next person. */
  readonly signal: AbortSignal;
  /** The key was accepted before and is not any more. What is on the page stays there until the next sign-in. */
  readonly isRejected = signal(false);

  constructor(access: Access, aborted: AbortSignal) {
    this.#access = signal(access);
    this.signal = aborted;
  }

  get client(): AnimalStore {
    return this.#access.value.client;
  }

  /** What the key is called, and what it allows. */
  get key(): CurrentKey {
    return this.#access.value.key;
  }

  /** Goes on with another key. */
  use(access: Access): void {
    batch(() => {
      this.#access.value = access;
      this.isRejected.value = false;
    });
  }

  /** Whether the key allows it. The page offers only what it does. */
  may(permission: Permission): boolean {
    return allows(this.key.scopes, permission);
  }

  /** Asks once: the next refresh is the retry. */
  read<T>(request: Request<T>): Promise<T> {
    const options = { signal: this.signal, ...READ_OPTIONS };
    return this.connection.watch(this.#observed(request, options));
  }

  /** The client repeats the request until its time is over. After that only a person does, with the same key. */
  write<T>(request: Request<T, ChangeOptions>, idempotencyKey?: string): Promise<T> {
    const { signal } = this;
    return this.#observed(request, idempotencyKey === undefined ? { signal } : { signal, idempotencyKey });
  }

  async #observed<T, Options>(request: Request<T, Options>, options: Options): Promise<T> {
    const { client } = this.#access.peek();
    try {
      return await request(client, options);
    } catch (error) {
      this.observe(error, client);
      throw error;
    }
  }

  /** Takes note of the refusal of the key. A late answer to an earlier key says nothing about the present one. */
  observe(error: unknown, client: AnimalStore): void {
    if (!(error instanceof AnimalStoreError) || this.#access.peek().client !== client) return;
    if (error.status === 401) this.isRejected.value = true;
    // The key may allow less than when the person signed in.
    if (error.status === 403) void this.#readKey(client);
  }

  async #readKey(client: AnimalStore): Promise<void> {
    const key = await client.getCurrentKey({ signal: this.signal, ...READ_OPTIONS }).catch(() => undefined);
    const known = this.#access.peek();
    if (key && known.client === client && !isEqual(key, known.key)) this.#access.value = { client, key };
  }

  /** Shows why something could not be loaded, unless the page shows it already: it asks for a new key, or the person has signed out. */
  report(error: unknown): void {
    if (!(error instanceof AnimalStoreError)) throw error;
    if (!isExplained(error)) this.connection.report(error);
  }
}

/** Whether the page shows already why a call has failed: it asks for a new key, or the person has signed out. */
export const isExplained = (error: unknown): boolean =>
  error instanceof AnimalStoreError && (error.code === 'aborted' || error.status === 401);
