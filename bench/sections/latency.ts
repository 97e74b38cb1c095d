import { bare, sqlite } from '../contenders/contenders.ts';
import { plural, table } from '../format.ts';
import type { Times } from '../measure/figures.ts';
import { measureInRounds, type ServerUnderTest } from '../measure/rounds.ts';
import { secondsPerWorkload } from '../run.ts';
import { firstPage, getPet } from '../workloads/read-workloads.ts';
import { FEW, type Workload } from '../workloads/workload.ts';
import { createByMany } from '../workloads/write-workloads.ts';
import type { Section } from './section.ts';

const CLIENTS = [1, 8, 32];

/** Each with its own number of clients. What writes comes last. */
const WORKLOADS: readonly Workload[] = [
  { ...getPet, name: 'getPet' },
  { ...firstPage, name: 'first page' },
  { ...createByMany, name: 'createPet' },
].flatMap((workload) =>
  CLIENTS.map((clients) => ({
    ...workload,
    animals: FEW,
    clients,
    name: latencyRow(workload.name, clients),
  })),
);

export interface Latency {
  readonly bare: Times;
  readonly ours: Times;
}

export function latencyRow(workload: string, clients: number): string {
  return `${workload}, ${plural(clients, 'client')}`;
}

/** What one, a few and many clients wait for this service on SQLite, and for the bare server. */
export const latency: Section<ReadonlyMap<string, Latency>> = {
  name: 'latency',
  empty: new Map(),
  seconds: (schedule) => WORKLOADS.length * 2 * secondsPerWorkload(schedule),

  async measure(run) {
    const servers: ServerUnderTest[] = [];
    for (const contender of [bare, sqlite]) {
      const server = await contender.start({ ...run, animals: FEW });
      servers.push({ name: contender.name, server, targetOf: contender.targetOf });
    }
    const result = new Map<string, Latency>();
    for (const workload of WORKLOADS) {
      const figures = await measureInRounds(run, workload, servers);
      const [limit, ours] = [figures.get(bare.name), figures.get(sqlite.name)];
      if (limit && ours) result.set(workload.name, { bare: limit, ours });
    }
    for (const { server } of servers) await server.stop();
    return result;
  },

  table(result) {
    const columns = (['p50', 'p99'] as const).flatMap((name) => [
      { head: `bare ${name} ms`, text: ({ bare }: Latency) => bare[name].toFixed(2) },
      { head: `ours ${name} ms`, text: ({ ours }: Latency) => ours[name].toFixed(2) },
      { head: 'times', text: ({ bare, ours }: Latency) => (ours[name] / bare[name]).toFixed(2) },
    ]);
    const rows = [...result].map(([name, row]) => [name, ...columns.map(({ text }) => text(row))]);
    return table(['', ...columns.map(({ head }) => head)], rows);
  },
};
