import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { copyOf } from '../animals/animals.ts';
import { startService } from '../contenders/service.ts';
import { medians, type Times, timesOf } from '../measure/figures.ts';
import { load } from '../measure/load.ts';
import { count, table } from '../report/tables.ts';
import { ourTarget, requestText } from '../work/calls.ts';
import { callsOf, createTogether, FEW, getPet } from '../work/works.ts';
import type { Section } from './section.ts';

export const FSYNC_MS = 5;
const READERS = 32;
const WRITERS = [1, 8, 64];

const STRACE = [
  ...['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_exit=${FSYNC_MS * 1000}`],
];

export interface SlowDisk {
  /** What clients saw, by what was going on. */
  readonly scenes: ReadonlyMap<string, Times>;
  /** Commits a second, one after the other. */
  readonly commits: number | undefined;
}

export const CALM = `${getPet.name}, ${READERS} clients, nobody writing`;
export const beside = (writers: number) => `${getPet.name}, ${READERS} clients, beside ${writers} writing`;
export const creating = (writers: number) =>
  `createPet, ${writers} client${writers > 1 ? 's' : ''}, nobody reading`;

const gets = callsOf(getPet, FEW).map((call) => requestText(call, ourTarget));
const creates = callsOf(createTogether, FEW).map((call) => requestText(call, ourTarget));

interface Scene {
  readonly name: string;
  readonly readers: number;
  readonly writers: number;
}

const scenes: readonly Scene[] = [
  { name: CALM, readers: READERS, writers: 0 },
  ...WRITERS.map((writers) => ({ name: beside(writers), readers: READERS, writers })),
  ...[1, 64].map((writers) => ({ name: creating(writers), readers: 0, writers })),
];

/** With every fsync delayed: nobody who reads may wait for the disk, and creates must share their waiting. */
export const slowDisk: Section<SlowDisk> = {
  name: 'slow disk',
  none: { scenes: new Map(), commits: undefined },
  seconds: (pace) => scenes.length * (pace.rounds + 1) * pace.seconds,

  async measure({ folder, pace, progress }) {
    if (spawnSync('strace', [...STRACE.slice(1), 'true']).status !== 0)
      throw new Error('it takes strace, and the right to trace: run it as root');
    const measured = new Map<string, Times[]>(scenes.map(({ name }) => [name, []]));
    const file = await copyOf(folder, 'ours', FEW);
    const { port, stop } = await startService(folder, `sqlite:${file}`, { under: STRACE });
    const send = (requests: readonly string[], clients: number) =>
      clients > 0 ? load({ port, clients, seconds: pace.seconds, requests }) : undefined;
    for (let round = 0; round <= pace.rounds; round++) {
      for (const { name, readers, writers } of scenes) {
        const [read, written] = await progress.during(`slow disk: ${name}`, pace.seconds, () =>
          Promise.all([send(gets, readers), send(creates, writers)]),
        );
        const sample = read ?? written;
        if (sample && round > 0) measured.get(name)?.push(timesOf(sample));
      }
    }
    await stop();
    const commits = commitsAlone(await copyOf(folder, 'ours', FEW), pace.seconds);
    return { scenes: new Map([...measured].map(([name, rounds]) => [name, medians(rounds)])), commits };
  },

  table({ scenes, commits = 0 }) {
    const calm = scenes.get(CALM)?.p99;
    const rows = [...scenes].map(([name, { perSecond, p50, p99 }]) => [
      name,
      count(perSecond),
      p50.toFixed(2),
      p99.toFixed(2),
      calm && name.startsWith(getPet.name) ? (p99 / calm).toFixed(2) : '',
    ]);
    rows.push(['one commit after the other, nobody asking', count(commits), '', '', '']);
    return table(['', 'requests/s', 'p50 ms', 'p99 ms', 'p99, times the first'], rows);
  },
};

function commitsAlone(file: string, seconds: number): number {
  const program = [process.execPath, join(import.meta.dirname, 'commits.ts'), file, String(seconds)];
  const [command = '', ...args] = [...STRACE, ...program];
  return Number(spawnSync(command, args).stdout);
}
