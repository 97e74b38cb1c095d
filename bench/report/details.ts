import { limits } from '../../src/contract/limits.ts';
import { contendersFor } from '../contenders/contenders.ts';
import { count, plural, table } from '../format.ts';
import type { Comparison } from '../sections/compare.ts';
import { growth } from '../sections/growth.ts';
import { latency } from '../sections/latency.ts';
import { search } from '../sections/search.ts';
import { FSYNC_MS, slowDisk } from '../sections/slow-disk.ts';
import { streams } from '../sections/streams.ts';
import type { Workload } from '../workloads/workload.ts';
import { comparisonTable } from './comparison-table.ts';
import { type Results, timesPlain } from './results.ts';
import { compareWithTargets, reachedTable } from './target-tables.ts';

/** docs/benchmarks.txt: every figure, as plain text. */
export function details(results: Results): string {
  const sections: [title: string, text: string, table: string][] = [
    ...results.comparisons.map((comparison) => workloadSection(results, comparison)),
    [
      'Latency',
      `How long one, a few and many clients wait for this service on SQLite, compared with the bare server in the same run, with
1,000 animals. The clients are a Node process, whose own time is part of every figure. Our first pages come from a cache.`,
      latency.table(results.latency),
    ],
    [
      'Growth',
      `CPU per request of this service on SQLite by the number of animals, with 32 clients; its memory after the workload and at its
peak; and the time from its start to its first response.`,
      growth.table(results.growth),
    ],
    [
      'Search',
      `GET /pets?name= finds any part of a name, without an index. One request looks at ${count(limits.lookedAt)} animals at most, newest first, and its
Link leads on from there. One client follows the links until a page has an animal, or to the end. "requests" and "seconds" are those
of the whole search; all other figures are for one request. No answer comes from the cache of first pages.

- newest animals, first page: a text that many animals have, in a page of 20
- the oldest animal: a text that only this animal has, in pages of 100
- nothing: a text that no animal has, among all animals, among those that are pending (10 %), and in one of 500 categories

SQLite runs a search on the main thread. The second table shows what that costs others: clients that read single animals, with
1,000,000 animals, alone and while another client searches for nothing without a pause.`,
      search.table(results.search),
    ],
    [
      'A slow disk',
      `Every fsync takes ${FSYNC_MS} ms longer (injected with strace), so that one commit per create would allow at most ${count(1000 / FSYNC_MS)} creates per
second. The target is a multiple of that. The last row shows what such commits reach in practice.`,
      slowDisk.table(results.slowDisk),
    ],
    [
      'Streams of events',
      `Clients that follow GET /events in one process on SQLite, while nothing happens and while one animal after the other is added. An
event is delivered once for each stream; what the create itself and an idle service cost is subtracted.
"npm run bench -- --only streams" measures it alone.`,
      streams.table(results.streams),
    ],
    [
      'Targets that are reached',
      `The closest call comes first. The factor says how many times better than the target the measured value is.`,
      reachedTable(compareWithTargets(results).reached),
    ],
    ['Versions', 'Of the programs and packages that were measured.', table(['', ''], results.versions)],
  ];
  return `Benchmarks: all figures. benchmarks.md says how to read them and who the contenders are.

In parentheses: the share of the limit. For every column, 1.00 equals the limit, and 0.50 is half as good. "database µs" is the CPU
of the database server per request, where there is one. "RSS" is the memory of the server right after the workload. A dash means that
a contender does not support the workload.


${sections.map(([title, ...parts]) => [`${title}\n${'='.repeat(title.length)}`, ...parts].join('\n\n')).join('\n\n\n')}
`;
}

function workloadSection(results: Results, { workload, figures }: Comparison): [string, string, string] {
  const { name, about, animals, clients, isCached } = workload;
  const setting = `${count(animals)} animals, ${plural(clients, 'client')}.`;
  const cache = isCached
    ? ' This service on SQLite has the page in its cache, which no other contender has.'
    : '';
  const text = `${about}${cache}\n${setting}${variantCosts(results, workload)}`;
  return [name, text, comparisonTable(contendersFor(workload), figures)];
}

/** For a variant, what the difference costs each contender. The bare server shows how much of it is Node's. */
function variantCosts(results: Results, workload: Workload): string {
  const ratios = contendersFor(workload).flatMap(({ name }) => {
    const times = timesPlain(results, workload, name);
    return times === undefined ? [] : `${name} ${times.toFixed(2)}`;
  });
  return ratios.length === 0 ? '' : `\nCPU, times the plain workload: ${ratios.join('; ')}.`;
}
