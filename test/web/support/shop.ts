import assert from 'node:assert/strict';
import { AnimalStore, type Order } from '../../../src/client/index.ts';
import { act } from '../../../src/web/browser/console/data/act.ts';
import type { AnimalAction } from '../../../src/web/browser/console/data/actions.ts';
import { Api } from '../../../src/web/browser/console/data/api.ts';
import type { Animal } from '../../../src/web/browser/console/data/cache.ts';
import { boundsOf } from '../../../src/web/browser/console/data/calendar.ts';
import type { Offer } from '../../../src/web/browser/console/data/messages.ts';
import { type Screen, Shop } from '../../../src/web/browser/console/data/shop.ts';
import type { AnimalQuery } from '../../../src/web/browser/console/data/sources.ts';
import { eventually } from '../../support/eventually.ts';
import type { Owner } from '../../support/service/owner.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';

/** Another key that the services of these tests accept. */
export const TILL = 'the-key-of-the-till-in-the-suite';

/* What a person looks at. */
export const animalsWhere = (query: AnimalQuery): Screen => ({ of: 'animals', query });
export const ALL = animalsWhere({});
export const today = (): Screen => ({ of: 'orders', sold: boundsOf('today') });

/** A request that gets no answer: `lost` before it reaches the service, `unanswered` after it has done its work; or the answer of a proxy. */
type Failure = 'lost' | 'unanswered' | Response;

/** What a proxy answers. */
export const proxyError = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'unavailable', message: 'From a proxy.', status }, { status, headers });

const NONE = /^$/;

/** The network between a shop and the service: answers can be held back, in any order, and requests can be lost. */
class Network {
  /** Every request so far, with a line such as `GET /v1/pets?limit=50`. */
  readonly requests: Record<'line' | 'body' | 'idempotencyKey', string>[] = [];
  /** How many requests are under way. */
  pending = 0;
  readonly #held: (() => void)[] = [];
  #holds = NONE;
  #failing: readonly [RegExp, Failure] = [NONE, 'lost'];

  /** Requests so far that ask for something. */
  reads = (path: string) => this.requests.filter(({ line }) => line.startsWith(`GET /v1/${path}`));
  /** From now on, holds back the answers to requests whose line and body match, until they are released. */
  hold = (matching = NONE): void => {
    this.#holds = matching;
  };
  untilHeld = (count: number) => eventually(() => this.#held.length >= count, `${count} answers are held`);
  /** Lets one held answer through. */
  release = (index: number) => this.#held.splice(index % Math.max(1, this.#held.length), 1)[0]?.();

  /** Requests so far that change something. A change without a field is a read. */
  get changes() {
    return this.requests.filter(({ line, body }) => !line.startsWith('GET') && body !== '{}');
  }

  /** From now on, requests whose line and body match fail. */
  fail(matching: RegExp, failure: Failure): void {
    this.#failing = [matching, failure];
  }
  heal = () => this.fail(NONE, 'lost');

  /** Lets everything through from now on, and what is held. */
  releaseAll(): void {
    this.#holds = NONE;
    for (const release of this.#held.splice(0)) release();
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.pending++;
    return this.#send(input, init).finally(() => this.pending--);
  };

  async #send(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const { pathname, search } = new URL(`${input}`);
    const [line, body] = [`${init?.method ?? 'GET'} ${pathname}${search}`, `${init?.body ?? ''}`];
    const header = (name: string) => new Headers(init?.headers).get(name) ?? '';
    this.requests.push({ line, body, idempotencyKey: header('idempotency-key') });
    const [matching, failure] = this.#failing;
    const fails = matching.test(line + body);
    if (fails && failure instanceof Response) return failure.clone();
    if (fails && failure === 'lost') throw new TypeError('fetch failed');
    const response = await fetch(input, init);
    if (fails) throw new TypeError('terminated');
    if (this.#holds.test(line + body)) await new Promise<void>((release) => this.#held.push(release));
    return response;
  }
}

/** So many names: `Animal 0`, `Animal 1` and so on. */
export const numbered = (count: number, name = 'Animal'): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** What others do, with this key. */
export function othersAt({ call }: Service, key = KEY) {
  const send = (method: string, path: string, body?: object) => call(method, `/v1/${path}`, { body, key });
  const addTo = async (categoryId: number, names: readonly string[]) => {
    const pets = names.map((name) => ({ name, categoryId }));
    for (let from = 0; from < pets.length; from += 100)
      await send('POST', 'pets/batch', { pets: pets.slice(from, from + 100) });
  };
  const get = async <T = readonly { id: number; name: string }[]>(path: string) =>
    (await send('GET', path)).json as T;
  return {
    ...{ send, get },
    addTo,
    add: (...names: string[]) => addTo(1, names),
    setPet: (id: number, change: object) => send('PATCH', `pets/${id}`, change),
    removePet: (id: number) => send('DELETE', `pets/${id}?reason=died`),
    order: (petId: number, more: { status?: string; note?: string } = {}) =>
      send('POST', 'store/orders', { petId, ...more }),
    setOrder: (id: number, change: object) => send('PATCH', `store/orders/${id}`, change),
    /** Gives an order one status after the other. */
    close: async (id: number, ...statuses: string[]) => {
      for (const status of statuses) await send('PATCH', `store/orders/${id}`, { status });
    },
    nameCategory: (id: number, name: string) => send('PUT', `categories/${id}`, { name }),
  };
}

export type Others = ReturnType<typeof othersAt>;

interface OpenOptions {
  readonly service?: Service;
  readonly prepare?: (others: Others) => Promise<unknown>;
  readonly key?: string;
  readonly screen?: Screen;
  /** How often a change without an answer is repeated. */
  readonly maxRetries?: number;
}

/**
 * A service with these animals, after `prepare`, and the data of a console without a browser, as a person with this key sees it. Nothing is
 * kept in step unless the test does it.
 */
export async function openShop(t: Owner, names: readonly string[], options: OpenOptions = {}) {
  const { prepare, key = KEY, screen = ALL, maxRetries = 0 } = options;
  const service =
    options.service ??
    (await startService(t, { database: 'sqlite::memory:', config: { apiKeys: [KEY, TILL] } }));
  const others = othersAt(service);
  await others.add(...names);
  await prepare?.(others);
  const network = new Network();
  const baseUrl = `${service.origin}/v1`;
  const client = new AnimalStore({ baseUrl, apiKey: key, fetch: network.fetch, maxRetries });
  const visit = new AbortController();
  t.after(() => {
    network.releaseAll();
    visit.abort();
  });
  const shop = new Shop(new Api({ client, key: await client.getCurrentKey() }, visit.signal));
  await shop.open(screen);
  network.requests.length = 0;

  /** An animal as the shop knows it. */
  const animal = (id: bigint): Animal => shop.cache.animals.peek(id) ?? assert.fail(`${id} is not known`);
  /** The latest order of an animal that is known. */
  const orderOf = (id: bigint): Order =>
    shop.cache.ordersOf(id)[0] ?? assert.fail(`no order of ${id} is known`);
  /** What the messages say, the newest last, without the marks that isolate names of another direction. */
  const said = () => shop.messages.all.peek().map(({ text }) => text.replaceAll(/[\u2068\u2069]/g, ''));
  /** What the newest message offers. */
  const offered = (label: Offer['label']): Offer => {
    const { offer } = shop.messages.all.peek().at(-1) ?? {};
    return offer?.label === label ? offer : assert.fail(`no ${label}: ${said().at(-1)}`);
  };
  /** Does something with an animal. */
  const run = (action: AnimalAction, id: bigint) => act(shop, action(shop, animal(id)));
  const press = (label: Offer['label']) => offered(label).run();
  return { service, others, shop, network, animal, orderOf, said, offered, run, press };
}

/** Applies the events from now on as the stream would: in order, up to `count` at a time. Tells how many there were. */
export async function follow(shop: Shop): Promise<(count?: number) => Promise<number>> {
  const { client } = shop.api;
  let position = (await client.listEvents({ order: 'newest', limit: 1 })).items[0]?.id;
  return async (limit = 100) => {
    const { items } = await client.listEvents({ after: position, limit });
    for (const event of items) shop.apply(event);
    position = items.at(-1)?.id ?? position;
    return items.length;
  };
}
