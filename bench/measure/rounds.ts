import type { Running } from '../contenders/processes.ts';
import type { Run } from '../run.ts';
import { requestText, type Target } from '../work/calls.ts';
import { callsOf, type Work } from '../work/works.ts';
import { type Figures, measure, medians } from './figures.ts';

export interface Entrant {
  readonly name: string;
  readonly server: Running;
  readonly target: Target;
  /** How many animals it has, where that differs from the work's. */
  readonly animals?: number;
}

/** Servers that have worked before. */
const warm = new WeakSet<Running>();

/**
 * The figures of each entrant at a work: after a warm-up, medians of rounds in which all take turns, so that whatever
 * else the machine does meets them all alike. Who fails is left out, loudly.
 */
export async function inRounds(
  { pace, progress }: Run,
  work: Work,
  entrants: readonly Entrant[],
): Promise<Map<string, Figures>> {
  const measured = new Map<string, Figures[]>();
  const requests = new Map<string, string[]>();
  for (const { name, target, animals } of entrants) {
    const calls = callsOf(work, animals);
    requests.set(
      name,
      calls.map((call) => requestText(call, target)),
    );
    measured.set(name, []);
  }
  for (let round = 0; round <= pace.rounds; round++) {
    const doing = round === 0 ? 'warm-up' : `round ${round} of ${pace.rounds}`;
    const planned = round === 0 ? pace.warmUp : pace.seconds;
    for (const { name, server } of entrants) {
      const rounds = measured.get(name);
      const seconds = warm.has(server) ? planned : pace.coldWarmUp;
      warm.add(server);
      try {
        const load = { clients: work.clients, seconds, requests: requests.get(name) ?? [] };
        const figures = await progress.during(`${work.name}, ${doing}: ${name}`, planned, async () =>
          rounds ? measure(server, load) : undefined,
        );
        if (figures && round > 0) rounds?.push(figures);
      } catch (error) {
        measured.delete(name);
        progress.problem(`${name} at ${work.name}: ${(error as Error).message}`);
      }
    }
  }
  return new Map([...measured].map(([name, rounds]) => [name, medians(rounds)]));
}
