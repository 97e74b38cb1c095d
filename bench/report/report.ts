import { contenders } from '../contenders/contenders.ts';
import { atAGlance } from './at-a-glance.ts';
import type { Results } from './results.ts';
import { compareWithTargets, missedTable } from './target-tables.ts';

/** docs/benchmarks.md. */
export function report(results: Results): string {
  const { comparisons, hardware, problems } = results;
  const { missed, reached, notMeasured } = compareWithTargets(results);
  const missing = [...problems, ...notMeasured];
  return `# Benchmarks

How much CPU a request needs, compared with the least that Node can do and with popular alternatives. \`npm run bench\` writes this page,
the chart and [benchmarks.txt](benchmarks.txt), which has all figures: every workload, latency, growth, search, a slow disk, streams of
events. \`npm run bench -- --quick\` prints a rough estimate in a few minutes.

![CPU per request](benchmarks.svg)

## How to read it

- **CPU** is the user and system time of the server process and its children per request, from \`/proc\`. It varies least from run to run, so
  most targets are about it.
- Clients on the same machine measure requests per second and latencies (p50, p99). Each sends its next request when it has the response to the last one,
  so p99 hides how long requests would wait that arrive at a rate of their own while the server is slow (coordinated omission).
- The **share of the limit** is the CPU of bare \`node:http\` in the same run, divided by ours: 1.00 equals the limit, 0.50 is half as good.
- Each figure is the median of several rounds, in which the contenders alternate, after a warm-up. All have the same animals and receive the
  same requests. They run on loopback, one at a time, with \`NODE_ENV=production\`.

## At a glance

CPU per request of this service on SQLite, and of the competitor on Node that needs the least. "times ours" is the
CPU of the other one, divided by ours: above 1, this service needs less; a figure below 1 is **bold**. Bun is another runtime and has its own
columns.

**(cache): our first pages come from a cache, which no competitor has.** With SQLite, the service keeps the responses to first pages, also of
filtered lists, in memory until something is written. The mix uses this cache between its writes. Random pages, \`getPet\` and \`createPet\` do not:
compare those to see what the database costs.

**idempotent: with an \`Idempotency-Key\`, as our clients send every create.** Its result is stored with the animal. No competitor has such keys:
compare the creates without one.

${atAGlance(comparisons)}

## Targets

Each target is a bound for one figure. ${reached.length} of ${reached.length + missed.length} are reached; [benchmarks.txt](benchmarks.txt) lists them. These are missed, the worst first. The
factor says how many times better the measured value has to become.

${missedTable(missed)}
${missing.length === 0 ? '' : `\nNot measured in this run:\n\n${missing.map((one) => `- ${one}`).join('\n')}\n`}
## Contenders

${contenders.map(({ name, note }) => `- **${name}**: ${note}`).join('\n')}

## Machine

${hardware}. All except Bun run on the same Node. [benchmarks.txt](benchmarks.txt) has the versions.
`;
}
