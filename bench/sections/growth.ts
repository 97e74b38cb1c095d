import { copyOf } from '../animals/animals.ts';
import { startService } from '../contenders/service.ts';
import { type Figures, median } from '../measure/figures.ts';
import { type Entrant, inRounds } from '../measure/rounds.ts';
import { usageOf } from '../measure/usage.ts';
import { count, megabytes, table } from '../report/tables.ts';
import { type Run, secondsEach, secondsToMake } from '../run.ts';
import { ourTarget } from '../work/calls.ts';
import { reads, type Work } from '../work/works.ts';
import type { Section } from './section.ts';

/** This service with so many animals. */
export interface Size {
  readonly animals: number;
  readonly startMs: number;
  /** The most memory it had after a work, and the most it ever had. */
  readonly rss: number;
  readonly peak: number;
  /** CPU per request, by the name of the work. */
  readonly cpu: ReadonlyMap<string, number>;
}

/** What more animals cost: all sizes run side by side and take turns. */
export const growth: Section<readonly Size[]> = {
  name: 'growth',
  none: [],
  seconds: (pace) =>
    pace.sizes.reduce((sum, animals) => sum + secondsToMake(animals) + reads.length * secondsEach(pace), 0),

  async measure(run) {
    const grown = await startAll(run);
    const found: { readonly work: Work; readonly figures: ReadonlyMap<string, Figures> }[] = [];
    for (const work of reads) found.push({ work, figures: await inRounds(run, work, grown) });
    const sizes = grown.map(({ name, server, animals, startMs }) => {
      const own = found.flatMap(({ work, figures }) => {
        const measured = figures.get(name);
        return measured ? [{ work, ...measured }] : [];
      });
      return {
        animals,
        startMs,
        rss: Math.max(...own.map(({ rss }) => rss)),
        peak: usageOf(server.pid).peak,
        cpu: new Map(own.map(({ work, cpu }) => [work.name, cpu])),
      };
    });
    for (const { server } of grown) await server.stop();
    return sizes;
  },

  table(sizes) {
    const rows = sizes.map(({ animals, cpu, rss, peak, startMs }) => [
      count(animals),
      ...reads.map(({ name }) => `${cpu.get(name)?.toFixed(0) ?? '–'} µs`),
      `${megabytes(rss)} MB`,
      `${megabytes(peak)} MB`,
      `${startMs.toFixed(0)} ms`,
    ]);
    return table(['animals', ...reads.map(({ name }) => name), 'RSS', 'peak', 'start'], rows);
  },
};

interface Grown extends Entrant {
  readonly animals: number;
  readonly startMs: number;
}

async function startAll({ folder, pace, progress }: Run): Promise<Grown[]> {
  const grown: Grown[] = [];
  for (const animals of pace.sizes) {
    const name = `${count(animals)} animals`;
    const file = await progress.during(`making ${name}`, secondsToMake(animals), () =>
      copyOf(folder, 'ours', animals),
    );
    let server = await startService(folder, `sqlite:${file}`);
    const times = [server.startMs];
    while (times.length < pace.starts) {
      await server.stop();
      server = await startService(folder, `sqlite:${file}`);
      times.push(server.startMs);
    }
    grown.push({ name, server, target: ourTarget, animals, startMs: median(times) });
  }
  return grown;
}
