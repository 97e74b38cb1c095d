import { batch, computed, type Signal, signal } from '@preact/signals';
import {
  type AnimalStore,
  AnimalStoreError,
  type CallOptions,
  type ChangeOptions,
  type CurrentKey,
  type KeyScope,
} from '../../../../client/index.ts';
import { isEqual } from './cache.ts';

/** A read is not repeated: the next refresh is the retry. */
export const READ_OPTIONS = { timeoutMs: 20_000, maxRetries: 0 } as const;
const SLOW_MS = 3000;

/** What a key can be allowed to do in the service; `*` is all of it. */
export type Permission = Exclude<KeyScope, '*'>;

/** Whether these scopes allow it. A scope for writing includes reading. */
export function allows(scopes: readonly KeyScope[], permission: Permission): boolean {
  const wanted: readonly KeyScope[] = ['*', permission, permission.replace(':read', ':write') as Permission];
  return wanted.some((scope) => scopes.includes(scope));
}

type FailureKind = 'offline' | 'unreachable' | 'unavailable' | 'limited' | 'failed';

interface Failure {
  readonly kind: FailureKind;
  readonly status: number;
  readonly since: Date;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId?: string | undefined;
}

/**
 * What is loaded: everything on screen, only the animal in the panel, more rows, or what an event left out. `network` is the state of the
 * network that the browser reports.
 */
type Load = 'screen' | 'panel' | 'more' | 'event' | 'network';

/** How well the service can be reached. */
class Connection {
  readonly #failures = signal<ReadonlyMap<Load, Failure>>(new Map());
  /** Why what is shown may be out of date, since the time of the first failure. Undefined while all is well. */
  readonly failure = computed<Failure | undefined>(() => {
    const [first, ...others] = this.#failures.value.values();
    const offline = [first, ...others].find((one) => one?.kind === 'offline');
    return first && { ...(offline ?? first), since: first.since };
  });
  readonly isOffline = computed(() => this.failure.value?.kind === 'offline');
  readonly #slowRequests = signal(0);
  readonly isSlow = computed(() => this.#slowRequests.value > 0);

  /** Waits for a read, and sets `isSlow` while that takes long. */
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

  failed(
    load: Load,
    { status, retryAfterMs, requestId }: Pick<AnimalStoreError, 'status' | 'retryAfterMs' | 'requestId'>,
  ): void {
    const since = this.#failures.peek().get(load)?.since ?? new Date();
    const failure = { kind: failureKind(status), status, since, retryAfterMs, requestId };
    this.#failures.value = new Map([...this.#failures.peek(), [load, failure]]);
  }

  /** Ends only the failure of this load: a newer panel does not make the list newer. `screen` includes all but `network`. */
  succeeded(load: Load): void {
    const isOver = (one: Load) => one === load || (load === 'screen' && one !== 'network');
    const left = [...this.#failures.peek()].filter(([one]) => !isOver(one));
    if (left.length < this.#failures.peek().size) this.#failures.value = new Map(left);
  }
}

export function failureKind(status: number): FailureKind {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status > 0) return 'failed';
  const { onLine } = navigator as { readonly onLine?: boolean };
  return onLine === false ? 'offline' : 'unreachable';
}

/** What went wrong, in a sentence for the person in the shop. */
export function failureText(status: number): string {
  const kind = failureKind(status);
  if (kind === 'failed') return `The service answered with an error (${status}).`;
  return {
    offline: 'You are offline.',
    unreachable: 'No answer from the service.',
    unavailable: 'The store is not available right now (503).',
    limited: 'There were too many requests.',
  }[kind];
}

export const statusOf = (error: unknown): number => (error instanceof AnimalStoreError ? error.status : 0);

/** Whether the service has rejected the request, so that it is not sent again. */
export const isRefusal = (error: unknown): boolean =>
  [400, 403, 404, 409, 410, 412, 422].includes(statusOf(error));

/** Whether the page already explains the failure of a call: it asks for a new key, or the person has signed out. */
export const isExplained = (error: unknown): boolean =>
  error instanceof AnimalStoreError && (error.code === 'aborted' || error.status === 401);

type Request<T, Options = CallOptions> = (client: AnimalStore, options: Options) => Promise<T>;

/** A key, and the client that uses it. */
export interface Access {
  readonly client: AnimalStore;
  readonly key: CurrentKey;
}

/** The service, as one key sees it. */
export class Api {
  readonly connection = new Connection();
  readonly #access: Signal<Access>;
  /** Aborted by signing out. Every call uses it, so that the next person sees no late result. */
  readonly signal: AbortSignal;
  /** Whether the key was accepted before but is rejected now. The page keeps its content until the next sign-in. */
  readonly isRejected = signal(false);

  constructor(access: Access, aborted: AbortSignal) {
    this.#access = signal(access);
    this.signal = aborted;
  }

  get client(): AnimalStore {
    return this.#access.value.client;
  }

  get key(): CurrentKey {
    return this.#access.value.key;
  }

  /** Continues with another key. */
  use(access: Access): void {
    batch(() => {
      this.#access.value = access;
      this.isRejected.value = false;
    });
  }

  /** Whether the key allows it. The page offers nothing else. */
  may(permission: Permission): boolean {
    return allows(this.key.scopes, permission);
  }

  read<T>(request: Request<T>): Promise<T> {
    const options = { signal: this.signal, ...READ_OPTIONS };
    return this.connection.watch(this.#observed(request, options));
  }

  /** The client repeats the request for 30 seconds. After that only the person does, with the same key. */
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

  /** Notes that the key was rejected. A late answer to an earlier key says nothing about the present one. */
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

  /** Runs a load, and returns whether it succeeded. Does not report a failure that the page already explains. */
  async load(load: Load, run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run();
      if (!this.signal.aborted) this.connection.succeeded(load);
      return true;
    } catch (error) {
      if (!(error instanceof AnimalStoreError)) throw error;
      if (!this.signal.aborted && !isExplained(error)) this.connection.failed(load, error);
      return false;
    }
  }
}
