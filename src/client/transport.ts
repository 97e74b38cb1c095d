import { type Call, checkTimeout, runCall } from './call.ts';
import { AnimalStoreError, invalidArgument } from './errors.ts';
import { type ReceivedResponse, readValue } from './response.ts';
import { withRetries } from './retry.ts';
import type { AnimalStoreOptions, CallOptions } from './types.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: URL;
  /** JSON text. */
  readonly body?: string;
  readonly idempotencyKey?: string;
}

export interface Answer extends Omit<ReceivedResponse, 'text'> {
  readonly value: unknown;
}

export interface Transport {
  /** The address of a path below the base address. */
  url(path: string): URL;
  /** Runs `work` as one call, within the time-out of `options` or of the client. */
  run<T>(options: CallOptions, work: (call: Call) => Promise<T>): Promise<T>;
  /** Sends a request as part of a call, with retries. */
  send(call: Call, outgoing: Outgoing): Promise<Answer>;
}

/** The API key is a variable of this function, so that no property, log or inspection of the client can show it. */
export function createTransport(options: AnimalStoreOptions): Transport {
  const { apiKey, timeoutMs: defaultTimeoutMs = 30_000, maxRetries = 5 } = options;
  const request = options.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
  const base = baseOf(options.baseUrl);
  // Checked here because `fetch` would quote the key in its own error.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalidArgument(
      'apiKey must be an API key of the service: visible ASCII characters without spaces.',
    );
  }
  if (!(maxRetries >= 0)) throw invalidArgument('maxRetries must be a number from 0.');
  checkTimeout(defaultTimeoutMs);

  async function exchange(
    call: Call,
    { method, url, body, idempotencyKey }: Outgoing,
  ): Promise<ReceivedResponse> {
    try {
      const response = await request(url.href, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${apiKey}`,
          'x-request-id': call.requestId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body }),
        // A redirect would turn a create into a GET.
        redirect: 'manual',
        signal: call.signal,
      });
      const { status, headers } = response;
      return { status, headers, text: await response.text(), requestId: call.requestId };
    } catch (cause) {
      call.signal.throwIfAborted();
      throw new AnimalStoreError(`No response from ${base}: ${reasonOf(cause)}.`, {
        code: 'network_error',
        requestId: call.requestId,
        cause,
      });
    }
  }

  return {
    url: (path) => new URL(base + path),
    run: ({ signal, timeoutMs = defaultTimeoutMs }, work) => runCall({ signal, timeoutMs }, work),
    send: (call, outgoing) =>
      withRetries(call, maxRetries, async () => {
        const response = await exchange(call, outgoing);
        return { ...response, value: readValue(response) };
      }),
  };
}

/** The base address without a slash at its end. In a browser it may be relative to the page. */
function baseOf(baseUrl: string | URL): string {
  const { location } = globalThis as { location?: { href: string } };
  try {
    const url = new URL(baseUrl, location?.href);
    const { protocol, username, password, search, hash } = url;
    const isPlain = !username && !password && !search && !hash;
    // Not `href`, which keeps a bare ? or # at the end.
    if (/^https?:$/.test(protocol) && isPlain) return (url.origin + url.pathname).replace(/\/+$/, '');
  } catch {}
  throw invalidArgument('baseUrl must be an address such as https://shop.example/v1.');
}

/** `fetch` fails with a generic error. Its cause has the details, if the runtime exposes it. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause ?? error) as { code?: string; message?: string };
  return message || code || 'the connection was lost';
}
