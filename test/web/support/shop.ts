import { AnimalStore } from '../../../src/client/index.ts';
import { Api } from '../../../src/web/browser/console/data/api.ts';
import { Workspace } from '../../../src/web/browser/console/data/workspace.ts';
import type { Route } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import type { Owner } from '../../support/service/owner.ts';
import { KEY, type Service } from '../../support/service/service.ts';

interface Held {
  readonly line: string;
  readonly release: () => void;
}

/** The network between a shop and the service: answers can be held back, in any order, and requests can be lost. */
export class Network {
  /** Every request so far, such as `GET /v1/pets?limit=50`. */
  readonly requests: string[] = [];
  /** The bodies of the requests that had one, by the same index. */
  readonly bodies: string[] = [];
  readonly held: Held[] = [];
  #holds: (line: string) => boolean = () => false;
  /** Requests that get no answer: `lost` before they reach the service, `unanswered` after it has done its work. */
  #fails: (line: string) => 'lost' | 'unanswered' | undefined = () => undefined;

  /** Holds back the answers to these requests from now on, until they are released. */
  hold(matching: (line: string) => boolean): void {
    this.#holds = matching;
  }

  fail(matching: (line: string) => 'lost' | 'unanswered' | undefined): void {
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
    this.requests.push(line);
    this.bodies.push(`${init?.body ?? ''}`);
    const failure = this.#fails(line);
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
  readonly shop: Workspace;
  readonly network: Network;
}

/** The data of a console without a browser, as a person with this key sees it. Nothing is kept in step unless the test does it. */
export async function openShop(
  t: Owner,
  { origin }: Service,
  { key = KEY, view }: { key?: string; view?: Route } = {},
): Promise<OpenedShop> {
  const network = new Network();
  // A change without an answer is given up soon.
  const options = { fetch: network.fetch, maxRetries: 1 };
  const client = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: key, ...options });
  const visit = new AbortController();
  t.after(() => {
    network.releaseAll();
    visit.abort();
  });
  const shop = new Workspace(new Api({ client, key: await client.getCurrentKey() }, visit.signal));
  if (view) await shop.open(view);
  return { shop, network };
}

/** Applies the events of the service that a shop has not heard of yet, as its stream would, in order. */
export class Stream {
  readonly #shop: Workspace;
  #position: string | undefined;

  private constructor(shop: Workspace, position: string | undefined) {
    this.#shop = shop;
    this.#position = position;
  }

  /** From now on. */
  static async open(shop: Workspace): Promise<Stream> {
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
