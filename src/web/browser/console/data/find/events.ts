import type { Event, EventType, Page } from '../../../../../client/index.ts';
import type { Api } from '../api.ts';
import type { Cache } from '../cache/cache.ts';
import type { Source } from '../list/source.ts';

/** What has happened to one animal, at most. */
const HISTORY = 50;
/** Pages that are read to find out who has done something. */
const CREDIT_PAGES = 10;

/** The changes that a person looks at. */
export interface ActivityQuery {
  readonly types?: readonly EventType[] | undefined;
  /** Only what is about a sale, or only what is not. */
  readonly sales?: boolean | undefined;
  readonly keyId?: string | undefined;
  /** Those of one day. */
  readonly happened?: { readonly from: Date; readonly before: Date } | undefined;
}

/** What has happened, the latest first. An event never changes. */
export class EventFinder implements Source<string, Event, ActivityQuery> {
  readonly table: Cache['events'];
  readonly #api: Api;
  readonly #cache: Cache;

  constructor(api: Api, cache: Cache) {
    this.table = cache.events;
    this.#api = api;
    this.#cache = cache;
  }

  async page(query: ActivityQuery, address: string | undefined, limit: number): Promise<Page<Event>> {
    const { types: type, keyId } = query;
    const { items, next } = await this.#api.read((client, options) =>
      client.listEvents(address ?? { type, keyId, order: 'newest', limit }, options),
    );
    const first = items.at(-1)?.at;
    // What is older than the wanted time ends the list. Commits may be a little out of the order of their times.
    const isOver =
      query.happened && first !== undefined && Date.parse(first) < query.happened.from.getTime() - 60_000;
    return { items: items.filter((event) => isWanted(event, query)), next: isOver ? undefined : next };
  }

  /** They do not change. */
  async lookUp(): Promise<void> {}

  /** The history of an animal, the latest first. */
  async ofAnimal(petId: bigint): Promise<readonly Event[]> {
    const asked = this.#cache.sequence.next();
    const { items } = await this.#api.read((client, options) =>
      client.listEvents({ petId, order: 'newest', limit: HISTORY }, options),
    );
    this.table.receive(items, asked);
    return items;
  }

  /** Finds out who has done what is of this type, back to this time. */
  async loadAuthors(type: 'pet.removed' | 'order.completed', since: Date): Promise<void> {
    let query: Parameters<Api['client']['listEvents']>[0] = { type, order: 'newest', limit: 100 };
    for (let page = 0; page < CREDIT_PAGES; page++) {
      const asked = this.#cache.sequence.next();
      const { items, next } = await this.#api.read((client, options) => client.listEvents(query, options));
      this.table.receive(items, asked);
      if (next === undefined || Date.parse(items.at(-1)?.at ?? '') < since.getTime()) return;
      query = next;
    }
  }

  matches(event: Event, query: ActivityQuery): boolean {
    const { types, keyId } = query;
    if (types && !types.includes(event.type)) return false;
    return (keyId === undefined || event.keyId === keyId) && isWanted(event, query);
  }

  /** Those that are noticed are later than those that were read. */
  compare(): number {
    return -1;
  }
}

/** What the service does not filter by. */
function isWanted({ at, type, before }: Event, { happened, sales }: ActivityQuery): boolean {
  const isSale =
    type === 'order.completed' || type === 'order.returned' || before?.orderStatus === 'completed';
  if (sales !== undefined && sales !== isSale) return false;
  const time = Date.parse(at);
  return !happened || (time >= happened.from.getTime() && time < happened.before.getTime());
}
