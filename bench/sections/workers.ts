import { copyOf } from '../animals/animals.ts';
import { startService } from '../contenders/service.ts';
import type { Figures } from '../measure/figures.ts';
import { type Entrant, inRounds } from '../measure/rounds.ts';
import { count, table } from '../report/tables.ts';
import { secondsEach } from '../run.ts';
import { ourTarget } from '../work/calls.ts';
import { createTogether, FEW, firstPage } from '../work/works.ts';
import type { Section } from './section.ts';

const COUNTS = [1, 2];
const WORKS = [firstPage, createTogether];

/** By the name of the work, then of the contender. */
export type WorkersFigures = ReadonlyMap<string, ReadonlyMap<string, Figures>>;

/** What a second process on the same port brings. */
export const workers: Section<WorkersFigures> = {
  name: 'workers',
  none: new Map(),
  seconds: (pace) => WORKS.length * COUNTS.length * secondsEach(pace),

  async measure(run) {
    const entrants: Entrant[] = [];
    for (const count of COUNTS) {
      const database = `sqlite:${await copyOf(run.folder, 'ours', FEW)}`;
      const server = await startService(run.folder, database, { env: { WORKERS: String(count) } });
      entrants.push({ name: `${count} worker${count > 1 ? 's' : ''}`, server, target: ourTarget });
    }
    const figures = new Map<string, ReadonlyMap<string, Figures>>();
    for (const work of WORKS) figures.set(work.name, await inRounds(run, work, entrants));
    for (const { server } of entrants) await server.stop();
    return figures;
  },

  table(found) {
    const rows = [...found].flatMap(([work, figures]) =>
      [...figures].map(([workers, { perSecond, cpu, p99 }]) => [
        `${work}, ${workers}`,
        count(perSecond),
        cpu.toFixed(0),
        p99.toFixed(2),
      ]),
    );
    return table(['', 'requests/s', 'CPU µs', 'p99 ms'], rows);
  },
};
