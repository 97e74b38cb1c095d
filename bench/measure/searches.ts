import type { RunningServer } from '../contenders/processes.ts';
import { KEY } from '../workloads/calls.ts';
import { spell } from '../workloads/spelling.ts';
import { cpuPerRequest, median } from './figures.ts';
import { type FollowedSearch, followLinks, withClient } from './follow-links.ts';

export interface Search {
  readonly name: string;
  readonly text: string;
  /** Further parameters. */
  readonly parameters: string;
  /** How many animals the first page that has any has. */
  readonly finds: number;
}

/** What a search costs until it has found something, or has looked at all animals. */
export interface SearchCost {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds of a request. */
  readonly median: number;
  readonly largest: number;
  /** CPU time of the service, and of its database server, in microseconds per request. */
  readonly cpu: number;
  readonly databaseCpu: number;
}

const OLDEST_NAME = 'the oldest of them all';
const ABSENT_TEXT = 'no animal is called that';

export const nothing: Search = { name: 'nothing', text: ABSENT_TEXT, parameters: 'limit=100', finds: 0 };

export const searches: readonly Search[] = [
  { name: 'newest animals, first page', text: 'whiskers the lazy', parameters: 'limit=20', finds: 20 },
  { name: 'the oldest animal', text: OLDEST_NAME, parameters: 'limit=100', finds: 1 },
  nothing,
  { ...nothing, name: 'nothing, `pending`', parameters: 'limit=100&status=pending' },
  { ...nothing, name: 'nothing, one category', parameters: 'limit=100&categoryId=250' },
];

let spellings = 0;

/** The first page of a search, each time in another spelling, so that no answer comes from the cache of first pages. */
const firstTarget = ({ text, parameters }: Search) =>
  `/v1/pets?${parameters}&name=${encodeURIComponent(spell(text, spellings++))}`;

/** Gives the oldest animal a name that no other animal has. */
export async function nameOldest({ port }: RunningServer): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: OLDEST_NAME });
  const { status } = await withClient(port, (client) => client.send('PATCH', '/v1/pets/1', headers, body));
  if (status !== 200) throw new Error(`the oldest animal could not be renamed: ${status}`);
}

/** Searches once to warm up, then again and again for at least this long. */
export function measureSearch(server: RunningServer, search: Search, seconds: number): Promise<SearchCost> {
  return withClient(server.port, async (client) => {
    const searchOnce = async () => {
      const followed = await followLinks(client, firstTarget(search));
      if (followed.found === search.finds) return followed;
      throw new Error(`${search.name}: found ${followed.found} animals, not ${search.finds}`);
    };
    await searchOnce();
    const searchRepeatedly = async () => {
      const end = performance.now() + seconds * 1000;
      const done = [await searchOnce()];
      while (performance.now() < end) done.push(await searchOnce());
      return done;
    };
    const { result, cpu, databaseCpu } = await cpuPerRequest(server, searchRepeatedly, requestsIn);
    const times = result.flatMap((one) => one.times);
    return {
      requests: requestsIn(result) / result.length,
      seconds: median(result.map((one) => sum(one.times))) / 1000,
      median: median(times),
      largest: Math.max(...times),
      cpu,
      databaseCpu,
    };
  });
}

/** The targets of a search for nothing, without the first page, which the service may have cached. */
export async function uncachedTargets({ port }: RunningServer): Promise<readonly string[]> {
  const { targets } = await withClient(port, (client) => followLinks(client, firstTarget(nothing)));
  return targets.slice(1);
}

const requestsIn = (done: readonly FollowedSearch[]) => sum(done.map(({ times }) => times.length));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
