import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { getSystemErrorMessage } from 'node:util';
import { type Config, settings } from '../config.ts';

/** Connections that the kernel may queue while the event loop is busy. The kernel applies its own limit. */
const BACKLOG = 1024;
/** Closing waits this long at most for a tick in which no connection arrives. */
const QUIET_MS = 250;
/** With port 0, the port chosen for one address can be in use on the other. */
const PORT_ATTEMPTS = 10;
const LOOPBACK = ['127.0.0.1', '::1'];

/** The host `localhost` means both loopback addresses. With `reusePort`, the kernel gives each connection to one of the processes. */
type ListenOptions = Pick<Config, 'host' | 'port' | 'reusePort'>;

export interface Listener {
  readonly port: number;
  /**
   * Stops listening and leaves accepted connections alone. Resolves when `accept` has been called for those that were
   * already in the kernel's queue, or after a quarter of a second.
   */
  close(): Promise<void>;
}

/** Passes every connection to `accept`. Rejects with a line that says what to do when it cannot listen. */
export async function listen(options: ListenOptions, accept: (socket: Socket) => void): Promise<Listener> {
  const { reusePort } = options;
  let arrived = 0;
  const servers = await openAll(options, async (host, port) => {
    // Half-open: a client that has finished sending still gets its response.
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      arrived++;
      // A reset is never an uncaught exception, whichever part of the process has the connection at the time.
      socket.on('error', () => {});
      accept(socket);
    });
    server.listen({ host, port, backlog: BACKLOG, reusePort });
    await once(server, 'listening');
    // A connection that cannot be accepted, for example for lack of file descriptors, does not end the service.
    return server.on('error', () => {});
  });
  return {
    port: portOf(servers[0]),
    async close() {
      // Closing resets what is in the kernel's queue, so it waits for a tick in which nothing came out of it.
      const deadline = performance.now() + QUIET_MS;
      await nextTick();
      for (let seen = -1; seen !== arrived && performance.now() < deadline; await nextTick()) seen = arrived;
      for (const server of servers) server.close();
    },
  };
}

/** `[::1]`, as it is written in URLs, without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');

/** One server for each address of the host, all on the same port. */
async function openAll(
  options: ListenOptions,
  open: (host: string, port: number) => Promise<Server>,
  attempts = PORT_ATTEMPTS,
): Promise<Server[]> {
  const host = withoutBrackets(options.host);
  const servers: Server[] = [];
  let missing: unknown;
  for (const address of host.toLowerCase() === 'localhost' ? LOOPBACK : [host]) {
    const port = portOf(servers[0]) || options.port;
    try {
      servers.push(await open(address, port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A machine without IPv6 has only one loopback address.
      missing = error;
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') continue;
      for (const server of servers) server.close();
      if (code === 'EADDRINUSE' && options.port === 0 && attempts > 1)
        return openAll(options, open, attempts - 1);
      throw explainListenError(error, host, port);
    }
  }
  if (servers.length === 0) throw explainListenError(missing, host, options.port);
  return servers;
}

const portOf = (server: Server | undefined): number =>
  (server?.address() as AddressInfo | undefined)?.port ?? 0;

/** One line that says what is wrong with the host or the port, and what to do. */
function explainListenError(error: unknown, host: string, port: number): Error {
  const { code = '', syscall, message, errno } = error as NodeJS.ErrnoException;
  const { flag, env } = settings.port;
  return new Error(explanation(), { cause: error });

  function explanation(): string {
    if (code === 'EADDRINUSE')
      return `port ${port} is already in use on ${host}: choose another with --${flag} or ${env}, or start every process on it with --reuse-port true`;
    if (code === 'EACCES')
      return `no permission to listen on port ${port}: choose one above 1023 with --${flag} or ${env}`;
    if (syscall === 'getaddrinfo')
      return `the host "${host}" is unknown (${code}): set --host or HOST to an address of this machine, such as 127.0.0.1`;
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
      return `this machine does not have the address ${host}: set --host or HOST to one that it has, such as 127.0.0.1`;
    return `cannot listen on ${host}, port ${port}: ${errno === undefined ? message : getSystemErrorMessage(errno)}`;
  }
}
