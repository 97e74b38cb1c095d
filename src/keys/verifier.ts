import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError, type KeyRefusal } from '../contract/errors.ts';
import type { Author } from '../contract/event.ts';
import { configuredId } from '../contract/key.ts';
import { limits } from '../contract/limits.ts';
import { FULL_ACCESS, type Permissions, permissionsOf, type Scope } from '../contract/scope.ts';
import { atMostEvery } from '../log.ts';
import type { Store } from '../store/store.ts';
import { checkKey, digestOf } from './format.ts';

const REFRESH_MS = 500;
/** Keys that were read longer ago may have been revoked: the store is asked before one of them is accepted. */
const MAX_AGE_MS = 1000;
/** How many keys one tick of the event loop reads at most, which takes a few milliseconds. */
const KEYS_PER_TICK = 500;
const RECORD_USE_MS = 10_000;
/** How often a failure that lasts is reported. */
const REPORT_MS = 60_000;
/** A larger difference between the two clocks is reported. */
const SKEW_MS = 10_000;

/** The API key of an accepted request. */
export interface AuthenticatedKey {
  /** See `configuredId` for a key of `API_KEYS`. */
  readonly id: string;
  /** A key of `API_KEYS` has its id as its name. */
  readonly name: string;
  /** `*` alone: everything. */
  readonly scopes: readonly Scope[];
  readonly permissions: Permissions;
  readonly expiresAt?: Date | undefined;
  /**
   * Who makes the changes of its requests. One object per key, because the writes of a batch go to another thread together, where an object
   * that occurs again costs next to nothing.
   */
  readonly author: Author;
}

interface KnownKey {
  readonly key: AuthenticatedKey;
  readonly revokedAt?: Date | undefined;
  readonly configured?: true;
}

/** Whether a key is accepted, and if not, why. */
export type Verdict = (
  | { readonly key: AuthenticatedKey; readonly refused?: undefined }
  | (KeyRefusal & { readonly refused: 'mistyped' | 'unknown' | 'revoked' | 'expired' })
) & {
  /** Whether the keys were read too long ago to tell, or the key may be new: `verifyAgain` does. */
  readonly isOutdated?: boolean;
};

interface KeyEvents {
  /** Keys could not be read, or their use not recorded. */
  failed(error: unknown): void;
  clockSkewed(aheadMs: number): void;
}

/** The stored keys by digest, as of change number `change`. */
interface StoredKeys {
  readonly byDigest: Map<string, KnownKey>;
  change: number;
  /** Undefined until the first keys are read. */
  removals?: number;
}

const noKeys = (): StoredKeys => ({ byDigest: new Map(), change: 0 });

/**
 * The API keys in memory, so that verifying one takes no database access. Changes are read from the store twice a second, a bounded
 * number of keys per tick: a key that any process revokes is refused within a second. An unknown key is looked up, so that a new key
 * works at once. After a pause of the process or the machine, or while the store cannot be read, every stored key is looked up.
 * Configured keys are accepted in addition, whatever the state of the store.
 *
 * A key expires by the clock of the store, so that it does so at the same moment in every instance.
 */
export class KeyVerifier {
  readonly #store: Store;
  readonly #configured: ReadonlyMap<string, KnownKey>;
  readonly #events: KeyEvents;
  /** When each stored key was last used, in milliseconds. */
  readonly #uses = new Map<string, number>();
  #stored = noKeys();
  /** Known keys by their text, so that each is hashed once. Cleared when a key changes. */
  readonly #byText = new Map<string, KnownKey>();
  /** The read that is under way, and the one after it if it is asked for. */
  #reading: Promise<void> | undefined;
  #nextRead: Promise<void> | undefined;
  #lookUps = 0;
  #timers: NodeJS.Timeout[] = [];
  /** When the latest read of the keys began. The steady clock stops while a machine is suspended; the other one may be set back. */
  #readAt = { date: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };
  #clockAheadMs = 0;
  #isSkewed = false;

  constructor(store: Store, configured: readonly string[], events: KeyEvents) {
    this.#store = store;
    this.#configured = new Map(
      configured.map(digestOf).map((digest) => [digest, { key: configuredKey(digest), configured: true }]),
    );
    this.#events = events;
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#every(REFRESH_MS, () => this.#refresh());
    this.#every(RECORD_USE_MS, () => this.#recordUses());
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#recordUses().catch((error) => this.#events.failed(error));
  }

  /** How much the clock of the store is ahead of the one of this machine. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  verify(text: string): Verdict {
    const known = this.#byText.get(text) ?? this.#find(text);
    if (!known) {
      const form = checkKey(text);
      return form === 'mistyped' ? { refused: form } : { refused: 'unknown', isOutdated: form === 'right' };
    }
    const { key, revokedAt, configured } = known;
    const { id, expiresAt } = key;
    if (revokedAt) return { refused: 'revoked', keyId: id };
    const now = Date.now();
    if (expiresAt && expiresAt.getTime() <= now + this.#clockAheadMs)
      return { refused: 'expired', keyId: id };
    if (configured) return { key, isOutdated: false };
    const { date, steady } = this.#readAt;
    const isOutdated = now - date > MAX_AGE_MS || performance.now() - steady > MAX_AGE_MS;
    if (!isOutdated) this.#uses.set(id, now);
    return { key, isOutdated };
  }

  /**
   * Asks the store whether an unknown key that looks like one of ours was created a moment ago, or whether a known key was revoked.
   * All calls that wait at the same time share one read. Rejects if the store cannot be read.
   */
  async verifyAgain(text: string): Promise<Verdict> {
    if (this.#find(text)) await this.#refresh();
    else if (checkKey(text) === 'right') await this.#lookUp();
    return this.verify(text);
  }

  async #lookUp(): Promise<void> {
    if (this.#lookUps >= limits.keyLookUps)
      throw new ApiError('unavailable', 'Too many API keys are being looked up. Try again in a moment.');
    this.#lookUps++;
    await this.#refresh().finally(() => this.#lookUps--);
  }

  #find(text: string): KnownKey | undefined {
    const digest = digestOf(text);
    const known = this.#configured.get(digest) ?? this.#stored.byDigest.get(digest);
    if (known) this.#byText.set(text, known);
    return known;
  }

  /**
   * Resolves after a read that began after the call. Reads run one at a time, and all calls during a read share the next one. If the read
   * fails, so do they: none waits for a second failure.
   */
  #refresh(): Promise<void> {
    const read = () => {
      this.#nextRead = undefined;
      this.#reading = this.#readAll().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    };
    this.#nextRead ??= (this.#reading ?? Promise.resolve()).then(read, (error) => {
      this.#nextRead = undefined;
      throw error;
    });
    return this.#nextRead;
  }

  async #readAll(): Promise<void> {
    const readAt = { date: Date.now(), steady: performance.now() };
    if (!(await this.#readChanges(this.#stored))) {
      // The keys in memory remain valid until all have been read again.
      const reread = noKeys();
      if (!(await this.#readChanges(reread))) return;
      this.#stored = reread;
      this.#byText.clear();
    }
    this.#readAt = readAt;
  }

  /** Brings `stored` up to date. False if that takes reading all keys again, because some were removed. */
  async #readChanges(stored: StoredKeys): Promise<boolean> {
    for (;;) {
      const askedAt = Date.now();
      const { keys, latest, removals, now } = await this.#store.listKeyChanges(stored.change, KEYS_PER_TICK);
      this.#compareClocks(now.getTime() - Date.now(), now.getTime() - askedAt);
      stored.removals ??= removals;
      if (removals !== stored.removals || latest < stored.change) return false;
      for (const { id, name, scopes, digest, expiresAt, revokedAt, change } of keys) {
        const author = { keyId: id, keyName: name };
        const key = { id, name, scopes, permissions: permissionsOf(scopes), expiresAt, author };
        stored.byDigest.set(digest, { key, revokedAt });
        stored.change = change;
      }
      if (keys.length > 0) this.#byText.clear();
      if (keys.length < KEYS_PER_TICK) return true;
      await nextTick();
    }
  }

  /** Keeps the previous estimate within the bounds that this answer allows: a slow answer says little. */
  #compareClocks(least: number, most: number): void {
    const aheadMs = Math.min(Math.max(this.#clockAheadMs, least), most);
    this.#clockAheadMs = aheadMs;
    const isSkewed = Math.abs(aheadMs) > SKEW_MS;
    if (isSkewed && !this.#isSkewed) this.#events.clockSkewed(aheadMs);
    this.#isSkewed = isSkewed;
  }

  async #recordUses(): Promise<void> {
    const uses = [...this.#uses].map(([id, at]) => ({ id, at: new Date(at) }));
    if (uses.length === 0) return;
    await this.#store.recordKeyUse(uses);
    for (const { id, at } of uses) if (this.#uses.get(id) === at.getTime()) this.#uses.delete(id);
  }

  /** Reports an outage when it begins, and then once a minute. */
  #every(ms: number, work: () => Promise<void>): void {
    let mayReport = atMostEvery(REPORT_MS);
    const recovered = () => {
      mayReport = atMostEvery(REPORT_MS);
    };
    const report = (error: unknown) => mayReport() && this.#events.failed(error);
    this.#timers.push(setInterval(() => work().then(recovered, report), ms).unref());
  }
}

/** A key of `API_KEYS`, by its digest. */
function configuredKey(digest: string): AuthenticatedKey {
  const id = configuredId(digest);
  const scopes = [FULL_ACCESS] as const;
  return { id, name: id, scopes, permissions: permissionsOf(scopes), author: { keyId: id, keyName: id } };
}
