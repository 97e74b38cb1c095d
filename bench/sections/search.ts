import type { Contender } from '../contenders/contender.ts';
import { onPostgres, sqlite } from '../contenders/contenders.ts';
import { count, table } from '../format.ts';
import { type BesideSearch, READERS, readBesideSearch, secondsBeside } from '../measure/beside-search.ts';
import { measureSearch, nameOldest, type SearchCost, searches } from '../measure/searches.ts';
import { type Schedule, secondsToFill } from '../run.ts';
import { MANY } from '../workloads/workload.ts';
import type { Section } from './section.ts';

/** PostgreSQL is measured with this many animals at most. */
const MAX_ON_POSTGRES = MANY;

/** One search in one store. */
interface Searched extends SearchCost {
  readonly search: string;
  readonly store: string;
  readonly animals: number;
}

export interface SearchFigures {
  readonly searches: readonly Searched[];
  /** By the name of the store. */
  readonly beside: ReadonlyMap<string, BesideSearch>;
}

interface SearchedStore {
  readonly name: string;
  readonly contender: Contender;
  readonly animals: number;
}

/** What it costs to find a part of a name, for which there is no index. */
export const search: Section<SearchFigures> = {
  name: 'search',
  empty: { searches: [], beside: new Map() },
  seconds: (schedule) =>
    storesOf(schedule, true).reduce(
      (total, { animals }) =>
        total + secondsToFill(animals) + searches.length * secondsPerSearch(schedule, animals),
      2 * secondsBeside(schedule),
    ),

  async measure(run) {
    const costs: Searched[] = [];
    const beside = new Map<string, BesideSearch>();
    for (const { name: store, contender, animals } of storesOf(run.schedule, run.postgres !== undefined)) {
      const label = `search, ${store}, ${count(animals)} animals`;
      const { schedule, progress } = run;
      const server = await progress.during(`${label}: start`, secondsToFill(animals), () =>
        contender.start({ ...run, animals }),
      );
      await nameOldest(server);
      for (const one of searches) {
        const cost = await progress.during(`${label}: ${one.name}`, secondsPerSearch(schedule, animals), () =>
          measureSearch(server, one, 2 * schedule.seconds),
        );
        costs.push({ search: one.name, store, animals, ...cost });
      }
      if (animals === MANY) beside.set(store, await readBesideSearch(run, server, animals));
      await server.stop();
    }
    return { searches: costs, beside };
  },

  table: ({ searches, beside }) => `${searchTable(searches)}\n\n${besideTable(beside)}`,
};

function storesOf({ sizes }: Schedule, withPostgres: boolean): SearchedStore[] {
  const onSqlite = sizes.map((animals) => ({ name: 'SQLite', contender: sqlite, animals }));
  const others = withPostgres ? sizes.filter((animals) => animals <= MAX_ON_POSTGRES) : [];
  return [...onSqlite, ...others.map((animals) => ({ name: 'PostgreSQL', contender: onPostgres, animals }))];
}

/** An estimate for the progress display. */
const secondsPerSearch = ({ seconds }: Schedule, animals: number) => 2 * seconds + animals / MANY;

/** One row per search and store. The rows of a search follow each other, and the first one names it. */
function searchTable(costs: readonly Searched[]): string {
  const bySearch = Map.groupBy(costs, (cost) => cost.search);
  const rows = [...bySearch].flatMap(([name, own]) =>
    own.map(({ store, animals, requests, seconds, median, largest, cpu, databaseCpu }, i) => [
      i === 0 ? name : '',
      store,
      count(animals),
      count(requests),
      seconds.toFixed(seconds < 1 ? 3 : 1),
      median.toFixed(2),
      largest.toFixed(2),
      count(cpu),
      databaseCpu === 0 ? '' : count(databaseCpu),
    ]),
  );
  const figures = ['requests', 'seconds', 'median ms', 'largest ms', 'CPU µs', 'database µs'];
  return table(['looked for', 'store', 'animals', ...figures], rows);
}

function besideTable(beside: SearchFigures['beside']): string {
  const rows = [...beside].map(([store, { alone, searching }]) => [
    store,
    ...[alone, searching].flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]),
    (searching.p99 / alone.p99).toFixed(2),
  ]);
  const columns = ['p50 ms', 'p99 ms', 'p50 ms beside a search', 'p99 ms beside a search', 'p99, times'];
  return table([`getPet, ${READERS} clients`, ...columns], rows);
}
