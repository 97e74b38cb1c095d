import { startService } from '../contenders/service.ts';
import { createSqliteFile } from '../datasets/databases.ts';
import { count, plural, table } from '../format.ts';
import type { Figures } from '../measure/figures.ts';
import { measureInRounds, type ServerUnderTest } from '../measure/rounds.ts';
import { secondsPerWorkload } from '../run.ts';
import { ourTarget } from '../workloads/calls.ts';
import { createByMany, FEW, firstPage } from '../workloads/workloads.ts';
import type { Section } from './section.ts';

const COUNTS = [1, 2];
const WORKLOADS = [firstPage, createByMany];

/** By the name of the workload, then by the number of workers, such as "2 workers". */
export type WorkersResult = ReadonlyMap<string, ReadonlyMap<string, Figures>>;

/** What a second process on the same port gains. */
export const workers: Section<WorkersResult> = {
  name: 'workers',
  empty: new Map(),
  seconds: (schedule) => WORKLOADS.length * COUNTS.length * secondsPerWorkload(schedule),

  async measure(run) {
    const servers: ServerUnderTest[] = [];
    for (const workers of COUNTS) {
      const database = `sqlite:${await createSqliteFile(run.folder, 'ours', FEW)}`;
      const server = await startService(run.folder, database, { env: { WORKERS: String(workers) } });
      servers.push({ name: plural(workers, 'worker'), server, targetOf: ourTarget });
    }
    const result = new Map<string, ReadonlyMap<string, Figures>>();
    for (const workload of WORKLOADS)
      result.set(workload.name, await measureInRounds(run, workload, servers));
    for (const { server } of servers) await server.stop();
    return result;
  },

  table(result) {
    const rows = [...result].flatMap(([workload, figures]) =>
      [...figures].map(([workers, { perSecond, cpu, p99 }]) => [
        `${workload}, ${workers}`,
        count(perSecond),
        cpu.toFixed(0),
        p99.toFixed(2),
      ]),
    );
    return table(['', 'requests/s', 'CPU µs', 'p99 ms'], rows);
  },
};
