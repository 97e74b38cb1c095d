import type { Address, Host } from '../url.ts';
import { Connection } from './connection.ts';
import type { Timeouts } from './settings.ts';

/** How long a server may take before the next one is tried as well. */
const NEXT_SERVER_MS = 300;

/**
 * Connects to the servers of an address: to the first one that is usable, beginning with the one that was usable last. A
 * server that does not answer delays the others by only a moment.
 */
export class Servers {
  readonly #address: Address;
  #hosts: readonly Host[];

  constructor(address: Address) {
    this.#address = address;
    this.#hosts = address.hosts;
  }

  async connect(timeouts: Timeouts): Promise<Connection> {
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
}
