import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Host } from '../url.ts';
import { Connection } from './connection.ts';
import type { Timeouts } from './settings.ts';
import { SplitBrainGuard } from './split-brain.ts';

/** How long a server may take before the next one is tried as well. */
const NEXT_SERVER_MS = 300;

/** How often all servers are asked which of them is the primary. */
const SURVEY_MS = 2000;
/** How long the first connection waits for servers that do not answer. */
const FIRST_SURVEY_MS = 1000;
const SURVEY_TIMEOUTS: Timeouts = { statementMs: 1000, lockMs: 1000 };

/**
 * Connects to the servers of an address: to the first one that is usable, beginning with the one that was usable last. A
 * server that does not answer delays the others by only a moment. With several servers, an old primary that still accepts
 * writes is refused as soon as one that was promoted is seen.
 */
export class Servers {
  readonly #address: Address;
  readonly #guard = new SplitBrainGuard();
  #hosts: readonly Host[];
  #firstSurvey: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(address: Address) {
    this.#address = address;
    this.#hosts = address.hosts;
  }

  /** Looks at all servers again and again, until `stop`. */
  watch(): void {
    if (this.#hosts.length > 1)
      this.#timer = setInterval(() => void this.#survey().catch(() => {}), SURVEY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Throws if the server of this connection is no longer the primary, as far as is known. */
  assertCurrent({ primary }: Connection): void {
    this.#guard.assertCurrent(primary);
  }

  async connect(timeouts: Timeouts): Promise<Connection> {
    this.#firstSurvey ??= Promise.race([this.#survey(), sleep(FIRST_SURVEY_MS, undefined, { ref: false })]);
    await this.#firstSurvey;
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const waiting = [...this.#hosts];
    let pending = waiting.length;
    let isOver = false;

    const tryNext = async (): Promise<void> => {
      const host = waiting.shift();
      if (isOver || !host) return;
      const next = setTimeout(() => void tryNext(), NEXT_SERVER_MS);
      try {
        const connection = await Connection.open(this.#address, host, timeouts);
        if (isOver) return connection.destroy();
        this.#accept(connection);
        isOver = true;
        this.#hosts = [host, ...this.#hosts.filter((other) => other !== host)];
        resolve(connection);
      } catch (error) {
        if (--pending === 0) reject(error);
        else void tryNext();
      } finally {
        clearTimeout(next);
      }
    };
    void tryNext();
    return promise;
  }

  #accept(connection: Connection): void {
    try {
      this.assertCurrent(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** A server that is a standby, or cannot be reached, tells nothing. Rejects if the servers do not belong together. */
  async #survey(): Promise<void> {
    if (this.#hosts.length === 1) return;
    const looks = this.#hosts.map((host) => Connection.open(this.#address, host, SURVEY_TIMEOUTS));
    for (const look of await Promise.allSettled(looks)) {
      if (look.status === 'rejected') continue;
      look.value.destroy();
      this.#guard.see(look.value.primary);
    }
  }
}
