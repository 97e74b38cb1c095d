import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';

/** A response that the gateway gives itself. */
export interface OwnResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/**
 * What happens to one request:
 * - `forward`: the service answers it.
 * - `lose request`: the connection is cut before the service sees the request.
 * - `delay request`: the connection is cut, and the service gets the request after the next one.
 * - `lose response`: the service answers, then the connection is cut before the client sees any of it.
 * - `truncate headers`: the connection is closed in the middle of the headers.
 * - `truncate response`: the connection is cut in the middle of the body.
 * - `hang`: neither an answer nor an end.
 */
export type Fate =
  | 'forward'
  | 'lose request'
  | 'delay request'
  | 'lose response'
  | 'truncate headers'
  | 'truncate response'
  | 'hang'
  | OwnResponse
  | (() => Promise<Fate>);

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

export interface Gateway {
  readonly origin: string;
  readonly baseUrl: string;
  /** Every request so far. */
  readonly requests: readonly SeenRequest[];
}

interface GatewayOptions {
  /** The path under which the gateway serves the service. */
  readonly prefix?: string;
}

/** A real HTTP gateway in front of a service. Requests meet the given fates in order; those after the last are forwarded. */
export async function startGateway(
  t: TestContext,
  target: string,
  fates: readonly Fate[],
  { prefix = '' }: GatewayOptions = {},
): Promise<Gateway> {
  const requests: SeenRequest[] = [];
  const remaining = [...fates];
  const delayed: (() => Promise<unknown>)[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, at: Date.now() });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    let fate = remaining.shift() ?? 'forward';
    while (typeof fate === 'function') fate = await fate();
    if (fate === 'hang') return;
    if (fate === 'lose request') return void request.socket.destroy();
    if (typeof fate === 'object') return respond(response, fate);
    const {
      host,
      connection,
      'transfer-encoding': encoding,
      'content-length': length,
      ...passedOn
    } = headers;
    const pass = () =>
      fetch(target + url.slice(prefix.length), {
        method,
        headers: passedOn as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
    if (fate === 'delay request') {
      delayed.push(pass);
      return void request.socket.destroy();
    }
    const answer = await pass();
    for (const passLate of delayed.splice(0)) await passLate();
    if (fate === 'forward' && answer.headers.get('content-type') === 'text/event-stream' && answer.body) {
      response.writeHead(answer.status, { 'content-type': 'text/event-stream' });
      return void pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
    }
    const body = await answer.text();
    if (fate === 'lose response') return void request.socket.destroy();
    if (fate === 'truncate headers') return void request.socket.end('HTTP/1.1 201 Created\r\nContent-Ty');
    const given = [...answer.headers].filter(
      ([name]) => !/^(?:connection|keep-alive|content-length)$/.test(name),
    );
    response.writeHead(answer.status, {
      ...Object.fromEntries(given),
      'content-length': Buffer.byteLength(body),
    });
    if (fate === 'forward') return void response.end(body);
    response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, baseUrl: `${origin}${prefix}/v1`, requests };
}

function respond(response: ServerResponse, { status, headers = {}, body = '' }: OwnResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** An Error body with the headers given, as the service sends it. */
export function errorResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): OwnResponse {
  return { status, headers, body: JSON.stringify({ code, message: `This is ${code}.`, status }) };
}
