import { AnimalStore } from '../../../src/client/index.ts';
import { Api } from '../../../src/web/browser/console/data/api.ts';
import { type Screen, Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import type { Owner } from '../../support/service/owner.ts';
import { KEY, type Service } from '../../support/service/service.ts';

interface Request {
  /** Such as `GET /v1/pets?limit=50`. */
  readonly line: string;
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
}

/** Requests that get no answer: `lost` before they reach the service, `unanswered` after it has done its work; or that of a proxy. */
type Failure = 'lost' | 'unanswered' | Response | undefined;

/** What a proxy answers. */
export const proxyError = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'unavailable', message: 'From a proxy.', status }, { status, headers });

/** The network between a shop and the service: answers can be held back, in any order, and requests can be lost. */
export class Network {
  /** Every request so far. */
  readonly requests: Request[] = [];
  readonly held: { readonly line: string; readonly release: () => void }[] = [];
  #holds: (line: string) => boolean = () => false;
  #fails: (line: string) => Failure = () => undefined;

  /** Requests so far that ask for something. */
  reads(path: string): readonly string[] {
    return this.requests.map(({ line }) => line).filter((line) => line.startsWith(`GET /v1/${path}`));
  }

  /** Requests so far that change something. A change without a field is a read. */
  get changes(): readonly Request[] {
    return this.requests.filter(({ line, body }) => !line.startsWith('GET') && body !== '{}');
  }

  /** Holds back the answers to these requests from now on, until they are released. */
  hold(matching: (line: string) => boolean): void {
    this.#holds = matching;
  }

  fail(matching: (line: string) => Failure): void {
    this.#fails = matching;
  }

  heal(): void {
    this.#fails = () => undefined;
  }

  /** Lets everything through from now on, and what is held. */
  releaseAll(): void {
    this.#holds = () => false;
    for (const { release } of this.held.splice(0)) release();
  }

  /** Lets one held answer through. */
  release(index: number): void {
    this.held.splice(index, 1)[0]?.release();
  }

  async untilHeld(count: number): Promise<void> {
    await eventually(() => this.held.length >= count, `${count} answers are held`);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(`${input}`);
    const line = `${init?.method ?? 'GET'} ${url.pathname}${url.search}`;
    const headers = new Headers(init?.headers);
    const of = (name: string) => headers.get(name) ?? undefined;
    const sent = { idempotencyKey: of('idempotency-key'), ifMatch: of('if-match') };
    this.requests.push({ line, body: `${init?.body ?? ''}`, ...sent });
    const failure = this.#fails(line);
    if (failure instanceof Response) return failure;
    if (failure === 'lost') throw new TypeError('fetch failed');
    const response = await fetch(input, init);
    if (failure === 'unanswered') throw new TypeError('terminated');
    if (this.#holds(line))
      await new Promise<void>((release) => {
        this.held.push({ line, release });
      });
    return response;
  };
}

export interface OpenedShop {
  readonly shop: Shop;
  readonly network: Network;
}

interface OpenOptions {
  readonly key?: string;
  readonly screen?: Screen;
  /** How often a change without an answer is repeated. */
  readonly maxRetries?: number;
}

/** The data of a console without a browser, as a person with this key sees it. Nothing is kept in step unless the test does it. */
export async function openShop(
  t: Owner,
  { origin }: Service,
  { key = KEY, screen, maxRetries = 0 }: OpenOptions = {},
): Promise<OpenedShop> {
  const network = new Network();
  const client = new AnimalStore({
    baseUrl: `${origin}/v1`,
    apiKey: key,
    fetch: network.fetch,
    maxRetries,
  });
  const visit = new AbortController();
  t.after(() => {
    network.releaseAll();
    visit.abort();
  });
  const shop = new Shop(new Api({ client, key: await client.getCurrentKey() }, visit.signal));
  if (screen) await shop.open(screen);
  network.requests.length = 0;
  return { shop, network };
}

/** Applies the events of the service that a shop has not heard of yet, as its stream would, in order. */
export class Stream {
  readonly #shop: Shop;
  #position: string | undefined;

  private constructor(shop: Shop, position: string | undefined) {
    this.#shop = shop;
    this.#position = position;
  }

  /** From now on. */
  static async open(shop: Shop): Promise<Stream> {
    const { items } = await shop.api.client.listEvents({ order: 'newest', limit: 1 });
    return new Stream(shop, items[0]?.id);
  }

  /** Delivers up to `count` of the events that have happened since. Returns how many there were. */
  async deliver(count = 100): Promise<number> {
    const { items } = await this.#shop.api.client.listEvents({ after: this.#position, limit: count });
    for (const event of items) {
      this.#shop.apply(event);
      this.#position = event.id;
    }
    return items.length;
  }

  async deliverAll(): Promise<void> {
    while ((await this.deliver()) > 0);
  }
}
