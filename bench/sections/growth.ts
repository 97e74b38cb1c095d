import { startService } from '../contenders/service.ts';
import { createSqliteFile } from '../datasets/databases.ts';
import { count, megabytes, table } from '../format.ts';
import { type Figures, median } from '../measure/figures.ts';
import { measureInRounds, type ServerUnderTest } from '../measure/rounds.ts';
import { usageOf } from '../measure/usage.ts';
import { type Run, secondsPerWorkload, secondsToFill } from '../run.ts';
import { ourTarget } from '../workloads/calls.ts';
import { reads } from '../workloads/read-workloads.ts';
import type { Workload } from '../workloads/workload.ts';
import type { Section } from './section.ts';

/** This service with a given number of animals. */
export interface Size {
  readonly animals: number;
  readonly startMs: number;
  /** The largest memory use after a workload, and the peak. */
  readonly rss: number;
  readonly peak: number;
  /** CPU per request, by the name of the workload. */
  readonly cpu: ReadonlyMap<string, number>;
}

/** What more animals cost. All sizes run at the same time and are measured alternately. */
export const growth: Section<readonly Size[]> = {
  name: 'growth',
  empty: [],
  seconds: (schedule) =>
    schedule.sizes.reduce(
      (sum, animals) => sum + secondsToFill(animals) + reads.length * secondsPerWorkload(schedule),
      0,
    ),

  async measure(run) {
    const servers = await startAll(run);
    const results: { readonly workload: Workload; readonly figures: ReadonlyMap<string, Figures> }[] = [];
    for (const workload of reads)
      results.push({ workload, figures: await measureInRounds(run, workload, servers) });
    const sizes = servers.map(({ name, server, animals, startMs }) => {
      const own = results.flatMap(({ workload, figures }) => {
        const measured = figures.get(name);
        return measured ? [{ workload, ...measured }] : [];
      });
      return {
        animals,
        startMs,
        rss: Math.max(...own.map(({ rss }) => rss)),
        peak: usageOf(server.pid).peak,
        cpu: new Map(own.map(({ workload, cpu }) => [workload.name, cpu])),
      };
    });
    for (const { server } of servers) await server.stop();
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

interface SizedServer extends ServerUnderTest {
  readonly animals: number;
  readonly startMs: number;
}

async function startAll({ folder, schedule, progress }: Run): Promise<SizedServer[]> {
  const servers: SizedServer[] = [];
  for (const animals of schedule.sizes) {
    const name = `${count(animals)} animals`;
    const file = await progress.during(`creating ${name}`, secondsToFill(animals), () =>
      createSqliteFile(folder, 'ours', animals),
    );
    let server = await startService(folder, `sqlite:${file}`);
    const times = [server.startMs];
    while (times.length < schedule.starts) {
      await server.stop();
      server = await startService(folder, `sqlite:${file}`);
      times.push(server.startMs);
    }
    servers.push({ name, server, targetOf: ourTarget, animals, startMs: median(times) });
  }
  return servers;
}
