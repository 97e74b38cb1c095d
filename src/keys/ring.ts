import type { Store } from '../store/store.ts';
import { digestOf, isMistyped } from './format.ts';

const REFRESH_MS = 500;
const RECORD_USE_MS = 10_000;

interface Known {
  readonly keyId: string;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
  readonly configured?: true;
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
  readonly #configured: ReadonlyMap<string, Known>;
  readonly #onError: (error: unknown) => void;
  /** When each stored key was last used, in milliseconds. */
  readonly #uses = new Map<string, number>();
  #known: ReadonlyMap<string, Known> = new Map();
  /** By key, those of `#known` that came along since it was read, so that each is hashed once. */
  #met = new Map<string, Known>();
  #timers: NodeJS.Timeout[] = [];

  constructor(store: Store, configured: readonly string[], onError: (error: unknown) => void) {
    this.#store = store;
    this.#configured = new Map(configured.map(digestOf).map((digest) => [digest, fromConfiguration(digest)]));
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
    const known = this.#met.get(key) ?? this.#find(key);
    if (!known) return { refused: isMistyped(key) ? 'mistyped' : 'unknown' };
    const { keyId, revokedAt, expiresAt, configured } = known;
    if (revokedAt) return { keyId, refused: 'revoked' };
    const now = Date.now();
    if (expiresAt && expiresAt.getTime() <= now) return { keyId, refused: 'expired' };
    if (!configured) this.#uses.set(keyId, now);
    return { keyId };
  }

  #find(key: string): Known | undefined {
    const digest = digestOf(key);
    const known = this.#configured.get(digest) ?? this.#known.get(digest);
    if (known) this.#met.set(key, known);
    return known;
  }

  async #refresh(): Promise<void> {
    const keys = await this.#store.listKeys();
    this.#met = new Map();
    this.#known = new Map(keys.map(({ id, digest, ...dates }) => [digest, { keyId: id, ...dates }]));
  }

  async #recordUses(): Promise<void> {
    const uses = [...this.#uses].map(([id, at]) => ({ id, at: new Date(at) }));
    if (uses.length === 0) return;
    await this.#store.recordKeyUse(uses);
    for (const { id, at } of uses) if (this.#uses.get(id) === at.getTime()) this.#uses.delete(id);
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

const fromConfiguration = (digest: string): Known => ({
  keyId: `env-${digest.slice(0, 8)}`,
  configured: true,
});
