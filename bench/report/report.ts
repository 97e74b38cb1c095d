import { contenders } from '../contenders/contenders.ts';
import type { Comparison } from '../sections/compare.ts';
import { growth } from '../sections/growth.ts';
import { FSYNC_MS, slowDisk } from '../sections/slow-disk.ts';
import { workers } from '../sections/workers.ts';
import type { Results } from './results.ts';
import { count, table, workTable } from './tables.ts';
import { targetTable } from './targets.ts';

/** docs/benchmarks.md. */
export function report(results: Results): string {
  const { comparisons, machine, problems, minutes } = results;
  return `# Benchmarks

How much of the machine a request takes, beside the least that Node can do and beside what people use otherwise. Written by
\`npm run bench\` (${minutes} minutes); \`npm run bench -- --quick\` prints a rougher look in under two.

![CPU per request](benchmarks.svg)

## How to read it

**CPU** is user and system time of the server process and its children for each request, from \`/proc\`: the figure that
repeats best, and the one that the targets are about. Requests per second and latencies (**p50**, **p99**) are those of
clients on the same machine that send again as soon as they are answered; **RSS** is the server's memory right after. In
brackets stands the share of the limit, measured in the same run: 1.00 is as good as the limit, 0.50 half as good, for every
column. Each figure is the median of rounds in which the contenders take turns, after a warm-up; all have the same animals and
get the same requests. A dash: it cannot do this work, for the reason given [below](#contenders).

## Targets

${targetTable(results, true)}
${problems.length === 0 ? '' : `\nNot measured in this run:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}\n`}
## Contenders

${contenders.map(({ name, note }) => `- **${name}**: ${note}`).join('\n')}

All run on the same Node with \`NODE_ENV=production\`, on loopback, one after the other. The limit takes one answer of this service
for each kind of request: status, headers and body as they were, only that its \`X-Request-Id\` never changes.

${comparisons.map(section).join('\n\n')}

## Growth

CPU per request of this service on SQLite by the number of animals, 32 clients; its memory after the work, and at most; the time
from its spawn to its first answer.

${growth.table(results.growth)}

## A slow disk

Every fsync takes ${FSYNC_MS} ms longer (injected with strace), so that a commit for each create would allow ${count(1000 / FSYNC_MS)} a second at best: the
target counts from there. The last row is what such commits reach here.

${slowDisk.table(results.slowDisk)}

## Workers

One process, or two on one port (\`--workers\`), on SQLite. The clients take their part of the same cores.

${workers.table(results.workers)}

## Measured on

${table(['', ''], machine)}
`;
}

function section(comparison: Comparison): string {
  const { name, about, animals, clients } = comparison.work;
  const setting = `${count(animals)} animals, ${clients} client${clients > 1 ? 's' : ''}.`;
  return `## ${name}\n\n${about} ${setting}\n\n${workTable(comparison)}`;
}
