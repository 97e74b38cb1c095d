import { join } from 'node:path';
import { bare, sqlite } from '../contenders/contenders.ts';
import { count, table } from '../format.ts';
import { medians } from '../measure/figures.ts';
import { gcRecorderEnv, recordGarbage } from '../measure/garbage.ts';
import { load } from '../measure/load.ts';
import { getPet } from '../workloads/read-workloads.ts';
import { requestsOf } from '../workloads/requests.ts';
import { FEW } from '../workloads/workload.ts';
import type { Section } from './section.ts';

/** The burst that precedes the measurement, because what survives a burst may keep later requests alive. */
const BURST_CLIENTS = 200;
const CLIENTS = 32;

export interface GarbagePerRequest {
  readonly promoted: number;
  readonly meanMs: number;
  readonly perSecond: number;
}

const CONTENDERS = [bare, sqlite];

/** Minor garbage collections while 32 clients read single animals, after a burst of 200 connections. */
export const garbage: Section<ReadonlyMap<string, GarbagePerRequest>> = {
  name: 'garbage',
  empty: new Map(),
  seconds: ({ rounds, seconds, coldWarmUp }) => CONTENDERS.length * (coldWarmUp + (rounds + 1) * seconds),

  async measure({ folder, schedule, progress, ...rest }) {
    const result = new Map<string, GarbagePerRequest>();
    for (const contender of CONTENDERS) {
      const file = join(folder, 'gc-recording.json');
      const env = gcRecorderEnv(file);
      const { pid, port, stop } = await contender.start({ folder, ...rest, animals: FEW, env });
      const requests = requestsOf(getPet, contender.targetOf, FEW);
      const send = (clients: number, seconds: number) =>
        progress.during(`garbage: ${contender.name}`, seconds, () =>
          load({ port, clients, seconds, requests }),
        );
      await send(CLIENTS, schedule.coldWarmUp);
      await send(BURST_CLIENTS, schedule.seconds);
      const rounds: GarbagePerRequest[] = [];
      for (let round = 0; round < schedule.rounds; round++) {
        const recorded = await recordGarbage(pid, file, () => send(CLIENTS, schedule.seconds));
        const { latencies, seconds } = recorded.result;
        rounds.push({
          promoted: recorded.promoted / latencies.length,
          meanMs: recorded.meanMs,
          perSecond: recorded.scavenges / seconds,
        });
      }
      await stop();
      result.set(contender.name, medians(rounds));
    }
    return result;
  },

  table(result) {
    const rows = [...result].map(([name, { promoted, meanMs, perSecond }]) => [
      name,
      count(promoted),
      meanMs.toFixed(2),
      perSecond.toFixed(1),
    ]);
    return table(['', 'bytes promoted per request', 'mean scavenge ms', 'scavenges/s'], rows);
  },
};
