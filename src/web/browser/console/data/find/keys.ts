import type { Key, Page } from '../../../../../client/index.ts';
import type { Api } from '../api.ts';
import type { Cache } from '../cache/cache.ts';
import type { Source } from '../list/source.ts';

/** The keys, newest first. A key cannot be asked for by its id, and no event tells of one. */
export class KeyFinder implements Source<string, Key, object> {
  readonly table: Cache['keys'];
  readonly #api: Api;

  constructor(api: Api, cache: Cache) {
    this.table = cache.keys;
    this.#api = api;
  }

  page(_query: object, address: string | undefined, limit: number): Promise<Page<Key>> {
    return this.#api.read((client, options) => client.listKeys(address ?? { limit }, options));
  }

  async lookUp(): Promise<void> {}

  compare(one: Key, other: Key): number {
    return one.createdAt < other.createdAt ? 1 : -1;
  }
}
