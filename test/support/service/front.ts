import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What the proxy does to a request instead of, or in addition to, forwarding it. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: number }
  /** The service executes the request; the connection is closed before its response arrives. */
  | { readonly loseAnswer: true }
  /** Waits until the fault is over, and then hands the request on. */
  | { readonly hold: true };

/** A reverse proxy in front of the service, as in production, that can inject faults. */
export interface Front {
  readonly origin: string;
  /** Method and path of every request so far. */
  readonly requests: readonly string[];
  /** How many requests wait for the end of their answer, apart from streams of events, which have none. */
  readonly pending: () => number;
  /** Applies this fault to every request whose method and path match from now on; without arguments, to none. */
  fault(match?: RegExp, fault?: Fault): void;
}

/**
 * `target` is the port of the service, or a function when it is not known yet. `prefix` is a path such as `/shop`, below which
 * the service is published.
 */
export async function startFront(
  t: TestContext,
  target: number | (() => number),
  prefix = '',
): Promise<Front> {
  let misbehave: { match: RegExp; fault: Fault } | undefined;
  let over = Promise.withResolvers<void>();
  const requests: string[] = [];
  let pending = 0;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    if (incoming.headers.accept !== 'text/event-stream') {
      pending++;
      outgoing.on('close', () => pending--);
    }
    const fault = misbehave?.match.test(line) ? misbehave.fault : undefined;
    if (fault && 'status' in fault) return refuse(outgoing, fault);
    if (fault && 'hold' in fault) await over.promise;
    if (!incoming.url?.startsWith(prefix)) return refuse(outgoing, { status: 404 });
    const upstream = request({
      ...{
        host: '127.0.0.1',
        port: typeof target === 'number' ? target : target(),
        method: incoming.method,
        headers: incoming.headers,
      },
      path: incoming.url.slice(prefix.length) || '/',
    });
    upstream.on('error', () => outgoing.destroy());
    // A stream ends with the client.
    outgoing.on('close', () => upstream.destroy());
    upstream.on('response', (response) => {
      if (fault && 'loseAnswer' in fault) {
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  };

  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    requests,
    pending: () => pending,
    fault: (match, fault) => {
      misbehave = match && fault ? { match, fault } : undefined;
      over.resolve();
      over = Promise.withResolvers();
    },
  };
}

function refuse(
  outgoing: ServerResponse,
  { status, retryAfter }: { status: number; retryAfter?: number },
): void {
  const code = { 401: 'unauthorized', 429: 'rate_limited', 503: 'unavailable' }[status] ?? 'not_found';
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
  };
  outgoing.writeHead(status, headers).end(JSON.stringify({ code, message: 'Refused by the proxy.', status }));
}
