import type { RunningServer } from '../contenders/processes.ts';
import type { Run } from '../run.ts';
import type { TargetOf } from '../workloads/calls.ts';
import { requestsOf } from '../workloads/requests.ts';
import type { Workload } from '../workloads/workloads.ts';
import { type Figures, measure, medians } from './figures.ts';

export interface ServerUnderTest {
  readonly name: string;
  readonly server: RunningServer;
  readonly targetOf: TargetOf;
  /** How many animals it has, where that differs from the workload. */
  readonly animals?: number;
}

/** Servers that have served requests before. */
const warm = new WeakSet<RunningServer>();

/**
 * The figures of each server for a workload: after a warm-up, the medians of rounds in which all servers alternate, so
 * that other activity on the machine affects them alike. A server that fails is left out and reported as a problem.
 */
export async function measureInRounds(
  { schedule, progress }: Run,
  workload: Workload,
  servers: readonly ServerUnderTest[],
): Promise<Map<string, Figures>> {
  const measured = new Map<string, Figures[]>(servers.map(({ name }) => [name, []]));
  const requests = new Map(
    servers.map(({ name, targetOf, animals }) => [name, requestsOf(workload, targetOf, animals)]),
  );
  for (let round = 0; round <= schedule.rounds; round++) {
    const phase = round === 0 ? 'warm-up' : `round ${round} of ${schedule.rounds}`;
    const planned = round === 0 ? schedule.warmUp : schedule.seconds;
    for (const { name, server } of servers) {
      const rounds = measured.get(name);
      const seconds = warm.has(server) ? planned : schedule.coldWarmUp;
      warm.add(server);
      try {
        const load = { clients: workload.clients, seconds, requests: requests.get(name) ?? [] };
        const figures = await progress.during(`${workload.name}, ${phase}: ${name}`, planned, async () =>
          rounds ? measure(server, load) : undefined,
        );
        if (figures && round > 0) rounds?.push(figures);
      } catch (error) {
        measured.delete(name);
        progress.problem(`${name}, ${workload.name}: ${(error as Error).message}`);
      }
    }
  }
  return new Map([...measured].map(([name, rounds]) => [name, medians(rounds)]));
}
