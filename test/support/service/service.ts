import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { type AppOptions, createApp } from '../../../src/http/app.ts';
import { createLog } from '../../../src/log.ts';
import { Metrics } from '../../../src/metrics/metrics.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Owner } from './owner.ts';

/** Accepted by every service under test, in addition to stored keys. */
export const KEY = 'the-test-key-of-the-suite';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed with exact integers; undefined when it is empty. */
  readonly json: unknown;
}

export interface CallOptions {
  readonly body?: unknown;
  /** The body exactly as it is sent, instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  /** A key other than KEY; null sends none. */
  readonly key?: string | null;
}

/** Calls a service at `origin` over HTTP. `path` begins with a slash, for example `/v1/pets`. */
export async function call(
  origin: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const {
    body,
    raw = body === undefined ? undefined : JSON.stringify(body),
    headers = {},
    key = KEY,
  } = options;
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(raw !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw !== undefined && { body: raw as string }),
  });
  const text = await response.text();
  const { status } = response;
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status, headers: response.headers, text, json: isJson ? parseJson(text) : undefined };
}

export interface Service {
  readonly origin: string;
  readonly port: number;
  readonly store: Store;
  /** Everything logged so far, as parsed lines. */
  readonly log: readonly Record<string, unknown>[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Does what a signal starts: answers what was accepted, and closes every connection. It keeps listening. */
  drain(): Promise<void>;
}

export interface ServiceOptions {
  readonly config?: Partial<AppOptions['config']>;
  /** Default: a new file in a temporary folder. */
  readonly database?: string;
  /** Wraps the store of the service, to observe or replace calls. */
  readonly observe?: (store: Store) => Store;
  readonly metrics?: Metrics;
  /** Shorter or smaller limits than in production, so that a test need not wait for them. */
  readonly limits?: AppOptions['limits'];
}

/** The production service on a free port, in this process, until the test ends. */
export async function startService(t: Owner, options: ServiceOptions = {}): Promise<Service> {
  const { metrics = new Metrics(), limits = {} } = options;
  const database = options.database ?? `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const store = await openStore(database, { monitor: metrics.writes });
  const log: Record<string, unknown>[] = [];
  const config = { ...readConfig([], {}, {}), apiKeys: [KEY] };
  const output = { write: (line: string) => void log.push(JSON.parse(line)) };
  const { observe = (same: Store) => same } = options;
  const app = createApp({
    store: observe(store),
    config: { ...config, ...options.config },
    log: createLog(output, 'info', config.apiKeys),
    metrics,
    limits,
  });
  await app.start();
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.accept(socket));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(async () => {
    listener.close();
    await app.close();
    await store.close();
  });
  const { port } = listener.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    store,
    log,
    call: (method, path, options) => call(origin, method, path, options),
    drain: () => app.drain(),
  };
}

export async function temporaryFolder(t: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-'));
  // A browser may still write to its profile for a moment.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}
