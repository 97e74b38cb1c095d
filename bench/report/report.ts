import { limits } from '../../src/contract/limits.ts';
import { contenders, contendersFor } from '../contenders/contenders.ts';
import { count, plural, table } from '../format.ts';
import type { Comparison } from '../sections/compare.ts';
import { garbage } from '../sections/garbage.ts';
import { growth } from '../sections/growth.ts';
import { latency } from '../sections/latency.ts';
import { search } from '../sections/search.ts';
import { FSYNC_MS, slowDisk } from '../sections/slow-disk.ts';
import { streams } from '../sections/streams.ts';
import type { Workload } from '../workloads/workload.ts';
import { atAGlance } from './at-a-glance.ts';
import { comparisonTable } from './comparison-table.ts';
import { type Results, timesPlain } from './results.ts';
import { runtimesTable } from './runtimes.ts';
import { targetTables } from './target-tables.ts';

/** docs/benchmarks.md. */
export function report(results: Results): string {
  const { comparisons, machine, problems, minutes } = results;
  return `# Benchmarks

How much CPU a request needs, compared with the least that Node can do and with popular alternatives. Written by
\`npm run bench\` (${minutes} minutes); \`npm run bench -- --quick\` prints a rough estimate in a few minutes.

![CPU per request](benchmarks.svg)

## How to read it

**CPU** is the user and system time of the server process and its children per request, from \`/proc\`. It varies least from
run to run, so most targets are about it. Requests per second and latencies (**p50**, **p99**) are measured by clients on the
same machine, each of which sends its next request when it has the response to the last one. **RSS** is the server's memory
right after the workload. **database** is the CPU of the database server per request, where there is one. The number in parentheses is the share of the limit, measured in the same run: 1.00 equals the
limit, 0.50 is half as good, for every column. Each figure is the median of several rounds, in which the contenders alternate,
after a warm-up. All have the same animals and receive the same requests. A dash means that a contender does not support the
workload; [Contenders](#contenders) gives the reason.

## At a glance

CPU per request of this service on SQLite, and of the competitor on Node that needs the least. "times ours" is how many times our CPU
another one needs: above 1 this service leads, and a **bold** figure below 1 says that it does not. Bun is another runtime and has its own
columns. The share of the limit is the CPU of bare \`node:http\`, divided by ours.

${atAGlance(comparisons)}

## Targets

Each target is a bound for one figure of this report.

${targetTables(results, true)}
${problems.length === 0 ? '' : `\nNot measured in this run:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}\n`}
## Contenders

${contenders.map(({ name, note }) => `- **${name}**: ${note}`).join('\n')}

All except Bun run on the same Node, with \`NODE_ENV=production\`, on loopback, one at a time. The bare server sends one recorded
response of this service for each kind of request: the same status, headers and body, with an \`X-Request-Id\` that never changes.

${comparisons.map((comparison) => section(results, comparison)).join('\n\n')}

## Another runtime

Bun brings its own HTTP server and its own SQLite driver. Where it needs less CPU than bare \`node:http\`, no service on Node
can match it.

${runtimesTable(results)}

## Latency

How long one, a few and many clients wait for this service on SQLite, compared with the bare server in the same run, with
1,000 animals. The clients are a Node process, whose own time is part of every figure.

${latency.table(results.latency)}

## Garbage

Minor garbage collections (scavenges) of the main thread while 32 clients call getPet, after a burst of 200 connections. Bytes
promoted are those that survive into the old generation; a server that keeps nothing of a request promotes almost none.

${garbage.table(results.garbage)}

## Growth

CPU per request of this service on SQLite by the number of animals, with 32 clients; its memory after the workload and at its
peak; and the time from its start to its first response.

${growth.table(results.growth)}

## Search

\`GET /pets?name=\` finds any part of a name, without an index. One request looks at ${count(limits.lookedAt)} animals at most, newest first, and its
\`Link\` leads on from there. One client follows the links until a page has an animal, or to the end. **requests** and **seconds** are those
of the whole search; all other figures are for one request. No answer comes from the cache of first pages.

- *newest animals, first page*: a text that many animals have, in a page of 20;
- *the oldest animal*: a text that only this animal has, in pages of 100;
- *nothing*: a text that no animal has, among all animals, among those that are \`pending\` (10 %), and in one of 500 categories.

SQLite runs a search on the main thread. The second table shows what that costs others: clients that read single animals, with 1,000,000
animals, alone and while another client searches for nothing without a pause.

${search.table(results.search)}

## A slow disk

Every fsync takes ${FSYNC_MS} ms longer (injected with strace), so that one commit per create would allow at most ${count(1000 / FSYNC_MS)} creates per
second. The target is a multiple of that. The last row shows what such commits reach in practice.

${slowDisk.table(results.slowDisk)}

## Streams of events

Clients that follow \`GET /events\` in one process on SQLite, while nothing happens and while one animal after the other is added. An event
is delivered once for each stream; what the create itself and an idle service cost is subtracted. \`npm run bench -- --only streams\` measures it
alone.

${streams.table(results.streams)}

## Environment

${table(['', ''], machine)}
`;
}

function section(results: Results, { workload, figures }: Comparison): string {
  const { name, about, animals, clients } = workload;
  const setting = `${count(animals)} animals, ${plural(clients, 'client')}.`;
  const text = `${about} ${setting}${variantCosts(results, workload)}`;
  return `## ${name}\n\n${text}\n\n${comparisonTable(contendersFor(workload), figures)}`;
}

/** For a variant, what the difference costs each contender. The bare server shows how much of it is Node's. */
function variantCosts(results: Results, workload: Workload): string {
  const ratios = contendersFor(workload).flatMap(({ name }) => {
    const times = timesPlain(results, workload, name);
    return times === undefined ? [] : `${name} ${times.toFixed(2)}`;
  });
  return ratios.length === 0 ? '' : ` CPU, times the plain workload: ${ratios.join('; ')}.`;
}
