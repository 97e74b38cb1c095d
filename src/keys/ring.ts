import { setImmediate as nextTick } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { digestOf, isMistyped } from './format.ts';

const REFRESH_MS = 500;
/** Keys that one tick of the event loop reads at most: a few milliseconds. */
const KEYS_PER_TICK = 500;
const RECORD_USE_MS = 10_000;

interface KnownKey {
  readonly keyId: string;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
  readonly configured?: true;
}

/** Why a key is refused. Only for the log, never for the client. */
export type Refusal = 'mistyped' | 'unknown' | 'revoked' | 'expired';
type Verdict = { keyId: string; refused?: undefined } | { keyId?: string; refused: Refusal };

/** The stored keys by digest, as of change number `change`. */
interface StoredKeys {
  readonly byDigest: Map<string, KnownKey>;
  change: number;
  /** Undefined until the first keys are read. */
  removals?: number;
}

const noKeys = (): StoredKeys => ({ byDigest: new Map(), change: 0 });

/**
 * The API keys in memory, so that verifying one takes no database access. What has changed in the store is read twice a
 * second, a bounded number of keys per tick: a key that any process creates or revokes takes effect within a second. While
 * the store cannot be read, the keys stay as they are. Configured keys are accepted in addition.
 */
export class KeyRing {
  readonly #store: Store;
  readonly #configured: ReadonlyMap<string, KnownKey>;
  readonly #onError: (error: unknown) => void;
  /** When each stored key was last used, in milliseconds. */
  readonly #uses = new Map<string, number>();
  #stored = noKeys();
  /** Known keys by their text, so that each is hashed once. Cleared when a key changes. */
  readonly #byText = new Map<string, KnownKey>();
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
    const known = this.#byText.get(key) ?? this.#find(key);
    if (!known) return { refused: isMistyped(key) ? 'mistyped' : 'unknown' };
    const { keyId, revokedAt, expiresAt, configured } = known;
    if (revokedAt) return { keyId, refused: 'revoked' };
    const now = Date.now();
    if (expiresAt && expiresAt.getTime() <= now) return { keyId, refused: 'expired' };
    if (!configured) this.#uses.set(keyId, now);
    return { keyId };
  }

  #find(key: string): KnownKey | undefined {
    const digest = digestOf(key);
    const known = this.#configured.get(digest) ?? this.#stored.byDigest.get(digest);
    if (known) this.#byText.set(key, known);
    return known;
  }

  async #refresh(): Promise<void> {
    if (await this.#readChanges(this.#stored)) return;
    // The keys in memory remain valid until all have been read again.
    const reread = noKeys();
    if (!(await this.#readChanges(reread))) return;
    this.#stored = reread;
    this.#byText.clear();
  }

  /** Brings `stored` up to date. False if that takes reading all keys again, because some were removed. */
  async #readChanges(stored: StoredKeys): Promise<boolean> {
    for (;;) {
      const { keys, latest, removals } = await this.#store.listKeyChanges(stored.change, KEYS_PER_TICK);
      stored.removals ??= removals;
      if (removals !== stored.removals || latest < stored.change) return false;
      for (const { id, digest, expiresAt, revokedAt, change } of keys) {
        stored.byDigest.set(digest, { keyId: id, expiresAt, revokedAt });
        stored.change = change;
      }
      if (keys.length > 0) this.#byText.clear();
      if (keys.length < KEYS_PER_TICK) return true;
      await nextTick();
    }
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

const fromConfiguration = (digest: string): KnownKey => ({
  keyId: `env-${digest.slice(0, 8)}`,
  configured: true,
});
