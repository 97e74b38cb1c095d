import type { Store } from '../store/store.ts';
import { digestOf, isMistyped } from './format.ts';

const REFRESH_MS = 500;
const RECORD_USE_MS = 10_000;

interface Known {
  readonly keyId: string;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
}

/** Why a key is refused. For the log only: the caller is not told. */
export type Refusal = 'mistyped' | 'unknown' | 'revoked' | 'expired';
type Verdict = { keyId: string; refused?: undefined } | { keyId?: string; refused: Refusal };

/**
 * The API keys in memory, so that checking one costs no database work. They are read anew twice a second: a key made
 * or revoked by any process takes effect within one. While the store cannot be read they stay as they were, and so does
 * everything else. Keys of the configuration stand beside them.
 */
export class KeyRing {
  readonly #store: Store;
  readonly #configured: ReadonlyMap<string, string>;
  readonly #onError: (error: unknown) => void;
  readonly #uses = new Map<string, Date>();
  #known: ReadonlyMap<string, Known> = new Map();
  #timers: NodeJS.Timeout[] = [];

  constructor(store: Store, configured: readonly string[], onError: (error: unknown) => void) {
    this.#store = store;
    this.#configured = new Map(configured.map(digestOf).map((digest) => [digest, configuredId(digest)]));
    this.#onError = onError;
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#every(REFRESH_MS, () => this.#refresh());
    this.#every(RECORD_USE_MS, () => this.#recordUses());
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#recordUses().catch(this.#onError);
  }

  verify(key: string): Verdict {
    const digest = digestOf(key);
    const configured = this.#configured.get(digest);
    if (configured !== undefined) return { keyId: configured };
    const known = this.#known.get(digest);
    if (!known) return { refused: isMistyped(key) ? 'mistyped' : 'unknown' };
    const { keyId, revokedAt, expiresAt } = known;
    if (revokedAt) return { keyId, refused: 'revoked' };
    const now = new Date();
    if (expiresAt && expiresAt <= now) return { keyId, refused: 'expired' };
    this.#uses.set(keyId, now);
    return { keyId };
  }

  async #refresh(): Promise<void> {
    const keys = await this.#store.listKeys();
    this.#known = new Map(keys.map(({ id, digest, ...dates }) => [digest, { keyId: id, ...dates }]));
  }

  async #recordUses(): Promise<void> {
    const uses = [...this.#uses].map(([id, at]) => ({ id, at }));
    if (uses.length === 0) return;
    await this.#store.recordKeyUse(uses);
    for (const { id, at } of uses) if (this.#uses.get(id) === at) this.#uses.delete(id);
  }

  #every(ms: number, work: () => Promise<void>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      work()
        .catch(this.#onError)
        .finally(() => {
          busy = false;
        });
    }, ms);
    this.#timers.push(timer.unref());
  }
}

const configuredId = (digest: string): string => `env-${digest.slice(0, 8)}`;
