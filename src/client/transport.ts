import { type Call, type CallSettings, checkLimits, notify, runCall } from './call.ts';
import { AnimalStoreError, invalidArgument, rejectUnknown } from './errors.ts';
import { parseExact, type ResponseHead, readValue, unexpectedResponse } from './response.ts';
import { withRetries } from './retry.ts';
import type { AnimalStoreOptions, CallOptions } from './types.ts';

const EVENT_STREAM = 'text/event-stream';

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** The type of the answer, if it is not JSON. */
  readonly accept?: string;
  /** JSON text. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string | undefined;
  /** Whether it is not sent again once it may have taken effect. */
  readonly atMostOnce?: boolean;
}

export interface Answer extends ResponseHead {
  readonly value: unknown;
}

/** A response that is still arriving. */
interface Arriving extends ResponseHead {
  readonly parts: AsyncGenerator<Uint8Array, void, undefined>;
}

export type Transport = ReturnType<typeof createTransport>;

/** The API key is a variable of this function, so that no property, log or inspection of the client can show it. */
export function createTransport(options: AnimalStoreOptions) {
  const { apiKey, timeoutMs = 30_000, maxRetries = Number.POSITIVE_INFINITY, hooks } = options;
  const defaults = { timeoutMs, maxRetries };
  const request = options.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
  const base = baseOf(options.baseUrl);
  // Checked here because `fetch` would quote the key in its own error.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalidArgument(
      'apiKey must be an API key of the service: visible ASCII characters without spaces.',
    );
  }
  checkLimits(defaults);
  // Throws on a runtime that is too old, before a change is made whose answer it cannot read.
  parseExact('0');

  /** Sends a request, and reads the response as far as `read` does. */
  async function exchange<T>(
    call: Call,
    { method, url, accept = 'application/json', body, idempotencyKey, ifMatch }: Outgoing,
    read: (response: Response, head: ResponseHead) => Promise<T>,
  ): Promise<T> {
    const { requestId, signal, latest } = call;
    const attempt = { method, url: url.href, requestId, attempt: (latest?.attempt ?? 0) + 1 };
    void notify(hooks?.onRequest, attempt);
    const startedAt = performance.now();
    let status = 0;
    let error: AnimalStoreError | undefined;
    try {
      const response = await request(url.href, {
        method,
        headers: {
          accept,
          authorization: `Bearer ${apiKey}`,
          'x-request-id': requestId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body !== undefined && { body }),
        // A redirect would turn a create into a GET.
        redirect: 'manual',
        signal,
      });
      ({ status } = response);
      return await read(response, { status, headers: response.headers, requestId });
    } catch (cause) {
      error = failureOf(call, cause);
      throw error;
    } finally {
      call.latest = { ...attempt, status, ms: performance.now() - startedAt, error };
      void notify(hooks?.onResponse, call.latest);
    }
  }

  /** What to throw for an error, which may mean that no response has arrived, or not all of it. */
  function failureOf(call: Call, cause: unknown): AnimalStoreError {
    const { requestId, signal } = call;
    if (cause instanceof AnimalStoreError) return cause;
    if (signal.aborted) return signal.reason as AnimalStoreError;
    const message = `No response from ${base}: ${reasonOf(cause)}.`;
    return new AnimalStoreError(message, { code: 'network_error', requestId, cause });
  }

  async function* partsOf(call: Call, body: ReadableStream<Uint8Array>): Arriving['parts'] {
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } catch (cause) {
      throw failureOf(call, cause);
    }
  }

  /** Throws when an option is unknown or invalid. */
  const settings = (options: CallOptions): CallSettings => {
    const { signal, timeoutMs = defaults.timeoutMs, maxRetries = defaults.maxRetries, ...unknown } = options;
    rejectUnknown('options', Object.keys(unknown));
    checkLimits({ timeoutMs, maxRetries });
    return { signal, timeoutMs, maxRetries, hooks };
  };

  return {
    settings,
    /** The address of a path below the base address. */
    url: (path: string): URL => new URL(base + path),
    /** Runs `work` as one call with these options. */
    run: async <T>(options: CallOptions, work: (call: Call) => Promise<T>) =>
      runCall(settings(options), work),
    /** Sends a request as part of a call, with retries. */
    send: (call: Call, outgoing: Outgoing): Promise<Answer> =>
      withRetries(call, outgoing.atMostOnce ?? false, () =>
        exchange(call, outgoing, async (response, head) => ({
          ...head,
          value: readValue(head, await response.text()),
        })),
      ),
    /** Sends a request once, and resolves when its response begins. Throws the error that any response but a stream of events means. */
    receive: (call: Call, url: URL): Promise<Arriving> =>
      exchange(call, { method: 'GET', url, accept: EVENT_STREAM }, async (response, head) => {
        if (response.body && isEventStream(response)) return { ...head, parts: partsOf(call, response.body) };
        readValue(head, await response.text());
        throw unexpectedResponse(head, 'is not a stream of events');
      }),
  };
}

const isEventStream = ({ status, headers }: Response): boolean =>
  status === 200 && (headers.get('content-type') ?? '').toLowerCase().startsWith(EVENT_STREAM);

/** The base address without a slash at its end. In a browser it may be relative to the page. */
function baseOf(baseUrl: string | URL): string {
  const { location } = globalThis as { location?: { href: string } };
  try {
    const url = new URL(baseUrl, location?.href);
    const { protocol, username, password, search, hash } = url;
    const isPlain = !username && !password && !search && !hash;
    // Not `href`, which keeps a bare ? or # at the end.
    if (/^https?:$/.test(protocol) && isPlain) return withoutFinalSlashes(url.origin + url.pathname);
  } catch {}
  throw invalidArgument('baseUrl must be an address such as https://shop.example/v1.');
}

function withoutFinalSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** `fetch` fails with a generic error. Its cause has the details, if the runtime exposes it. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause ?? error) as { code?: string; message?: string };
  return message || code || 'the connection was lost';
}
