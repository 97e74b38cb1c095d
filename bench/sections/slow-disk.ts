import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { delayedFsync } from '../contenders/delayed-fsync.ts';
import { startService } from '../contenders/service.ts';
import { createSqliteFile } from '../datasets/databases.ts';
import { count, plural, table } from '../format.ts';
import { medians, type Times, timesOf } from '../measure/figures.ts';
import { load } from '../measure/load.ts';
import { ourTarget } from '../workloads/calls.ts';
import { getPet } from '../workloads/read-workloads.ts';
import { type Packets, requestsOf } from '../workloads/requests.ts';
import { FEW } from '../workloads/workload.ts';
import { createByMany } from '../workloads/write-workloads.ts';
import type { Section } from './section.ts';

export const FSYNC_MS = 5;
const READERS = 32;
const WRITERS = [1, 8, 64];

const STRACE = delayedFsync(FSYNC_MS);

export interface SlowDisk {
  /** What the clients measured, by the name of the scenario. */
  readonly scenarios: ReadonlyMap<string, Times>;
  /** Commits per second, one after the other. */
  readonly commits: number | undefined;
}

export const READ_ONLY = `${getPet.name}, ${READERS} clients, no writers`;
export const withWriters = (writers: number) =>
  `${getPet.name}, ${READERS} clients, with ${plural(writers, 'writer')}`;
export const createsOf = (writers: number) => `createPet, ${plural(writers, 'client')}, no readers`;

const gets = requestsOf(getPet, ourTarget, FEW);
const creates = requestsOf(createByMany, ourTarget, FEW);

interface Scenario {
  readonly name: string;
  readonly readers: number;
  readonly writers: number;
}

const scenarios: readonly Scenario[] = [
  { name: READ_ONLY, readers: READERS, writers: 0 },
  ...WRITERS.map((writers) => ({ name: withWriters(writers), readers: READERS, writers })),
  ...[1, 64].map((writers) => ({ name: createsOf(writers), readers: 0, writers })),
];

/** With every fsync delayed: reads must not wait for the disk, and creates must share commits. */
export const slowDisk: Section<SlowDisk> = {
  name: 'slow disk',
  empty: { scenarios: new Map(), commits: undefined },
  seconds: (schedule) => scenarios.length * (schedule.rounds + 1) * schedule.seconds,

  async measure({ folder, schedule, progress }) {
    if (spawnSync('strace', [...STRACE.slice(1), 'true']).status !== 0)
      throw new Error('it needs strace and permission to trace: run it as root');
    const measured = new Map<string, Times[]>(scenarios.map(({ name }) => [name, []]));
    const file = await createSqliteFile(folder, 'ours', FEW);
    const { port, stop } = await startService(folder, `sqlite:${file}`, { wrapper: STRACE });
    const send = (requests: readonly Packets[], clients: number) =>
      clients > 0 ? load({ port, clients, seconds: schedule.seconds, requests }) : undefined;
    for (let round = 0; round <= schedule.rounds; round++) {
      for (const { name, readers, writers } of scenarios) {
        const [read, written] = await progress.during(`slow disk: ${name}`, schedule.seconds, () =>
          Promise.all([send(gets, readers), send(creates, writers)]),
        );
        const sample = read ?? written;
        if (sample && round > 0) measured.get(name)?.push(timesOf(sample));
      }
    }
    await stop();
    const commits = singleCommits(await createSqliteFile(folder, 'ours', FEW), schedule.seconds);
    return { scenarios: new Map([...measured].map(([name, rounds]) => [name, medians(rounds)])), commits };
  },

  table({ scenarios, commits = 0 }) {
    const readOnly = scenarios.get(READ_ONLY)?.p99;
    const rows = [...scenarios].map(([name, { perSecond, p50, p99 }]) => [
      name,
      count(perSecond),
      p50.toFixed(2),
      p99.toFixed(2),
      readOnly && name.startsWith(getPet.name) ? (p99 / readOnly).toFixed(2) : '',
    ]);
    rows.push(['one commit after the other, without HTTP', count(commits), '', '', '']);
    return table(['', 'requests/s', 'p50 ms', 'p99 ms', 'p99, times the first row'], rows);
  },
};

function singleCommits(file: string, seconds: number): number {
  const program = [process.execPath, join(import.meta.dirname, 'single-commits.ts'), file, String(seconds)];
  const [command = '', ...args] = [...STRACE, ...program];
  return Number(spawnSync(command, args).stdout);
}
