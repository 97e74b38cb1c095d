import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may leave an answer unread before it is cut, give or take a sweep. */
const UNREAD_MS = 30_000;
const SWEEP_MS = 5000;

const LATEST = Symbol('latest response');
type Connection = Socket & { [LATEST]?: ServerResponse };

/** The open connections of a server, and what each is busy with or was last. */
export class Connections {
  readonly #open = new Set<Connection>();
  /** How much a client with more to read had taken, and since when. */
  readonly #unread = new WeakMap<Connection, { readonly taken: number; readonly since: number }>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    const sweep = setInterval(() => this.#cutUnread(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }

  /** Kept on the connection itself: a table of them would cost every request a look-up. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    (socket as Connection)[LATEST] = response;
  }

  latest(socket: Duplex & Pick<Connection, typeof LATEST>): ServerResponse | undefined {
    return socket[LATEST];
  }

  /** Whether no request came behind this one on its connection: an answer that ends that would end those behind it. */
  isLatest(response: ServerResponse): boolean {
    return this.latest(response.req.socket) === response;
  }

  /** Whether any request is still to be answered to its end. */
  get busy(): boolean {
    return this.#open.values().some((socket) => socket[LATEST]?.writableFinished === false);
  }

  /** In place of `server.timeout`, which sets a timer with every request. */
  #cutUnread(): void {
    const now = performance.now();
    for (const socket of this.#open) {
      const { writableLength, bytesWritten } = socket;
      const taken = bytesWritten - writableLength;
      const before = this.#unread.get(socket);
      if (writableLength === 0) this.#unread.delete(socket);
      else if (before?.taken !== taken) this.#unread.set(socket, { taken, since: now });
      else if (now - before.since >= UNREAD_MS) socket.destroy();
    }
  }
}
