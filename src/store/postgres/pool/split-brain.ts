import { StoreError } from '../../store.ts';
import { standbyError } from '../errors.ts';

/** A server that accepts writes. */
export interface Primary {
  readonly systemId: string;
  readonly timeline: number;
}

/**
 * Refuses a primary that was replaced: after a promotion, the new primary has a higher timeline, and the old one may still
 * accept writes. What was seen once is never forgotten, so that this process does not go back when the new primary fails.
 */
export class SplitBrainGuard {
  #latest: Primary | undefined;

  /** Takes note of a server. Throws if it belongs to another cluster than those seen before. */
  see(primary: Primary): void {
    this.#latest ??= primary;
    if (primary.systemId !== this.#latest.systemId)
      throw new StoreError(
        'the servers of DATABASE_URL belong to different clusters: name only a primary and its own standbys',
      );
    if (primary.timeline > this.#latest.timeline) this.#latest = primary;
  }

  /** Throws if a server with a later timeline, or one of another cluster, was seen before. */
  assertCurrent(primary: Primary): void {
    this.see(primary);
    if (primary.timeline < (this.#latest?.timeline ?? 0))
      throw standbyError('the server was replaced by another one of DATABASE_URL that was promoted: stop it');
  }
}
