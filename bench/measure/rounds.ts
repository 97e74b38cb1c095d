import type { RunningServer } from '../contenders/processes.ts';
import type { Run } from '../run.ts';
import type { TargetOf } from '../workloads/calls.ts';
import { requestsOf } from '../workloads/requests.ts';
import type { Workload } from '../workloads/workload.ts';
import { type Figures, measure, medians } from './figures.ts';

export interface ServerUnderTest {
  readonly name: string;
  readonly server: RunningServer;
  readonly targetOf: TargetOf;
  /** How many animals it has, where that differs from the workload. */
  readonly animals?: number;
}

export interface Measurement {
  readonly workload: Workload;
  readonly subject: ServerUnderTest;
}

/** Servers that have served requests before. */
const warm = new WeakSet<RunningServer>();

/** The figures of each server for a workload, by the name of the server. */
export async function measureInRounds(
  run: Run,
  workload: Workload,
  servers: readonly ServerUnderTest[],
): Promise<Map<string, Figures>> {
  const measurements = servers.map((subject) => ({ workload, subject }));
  const figures = await measureAlternately(run, measurements);
  return new Map([...figures].map(([{ subject }, found]) => [subject.name, found]));
}

/**
 * After a warm-up, the medians of rounds in which all measurements alternate, so that other activity on the machine
 * affects them alike. A measurement that fails is left out and reported as a problem.
 */
export async function measureAlternately<T extends Measurement>(
  { schedule, progress }: Run,
  measurements: readonly T[],
): Promise<Map<T, Figures>> {
  const measured = new Map<T, Figures[]>(measurements.map((one) => [one, []]));
  const requests = new Map(
    measurements.map((one) => [one, requestsOf(one.workload, one.subject.targetOf, one.subject.animals)]),
  );
  for (let round = 0; round <= schedule.rounds; round++) {
    const phase = round === 0 ? 'warm-up' : `round ${round} of ${schedule.rounds}`;
    const planned = round === 0 ? schedule.warmUp : schedule.seconds;
    for (const one of measurements) {
      const { name, server } = one.subject;
      const rounds = measured.get(one);
      const seconds = warm.has(server) ? planned : schedule.coldWarmUp;
      warm.add(server);
      try {
        const load = { clients: one.workload.clients, seconds, requests: requests.get(one) ?? [] };
        const figures = await progress.during(`${one.workload.name}, ${phase}: ${name}`, planned, async () =>
          rounds ? measure(server, load) : undefined,
        );
        if (figures && round > 0) rounds?.push(figures);
      } catch (error) {
        measured.delete(one);
        progress.problem(`${name}, ${one.workload.name}: ${(error as Error).message}`);
      }
    }
  }
  return new Map([...measured].map(([one, rounds]) => [one, medians(rounds)]));
}
