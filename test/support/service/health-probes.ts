import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackedService } from './attacked-service.ts';

interface Probed {
  /** The time that each probe took, in ascending order; for a failed probe, the time until it failed. */
  readonly tookMs: readonly number[];
  readonly failed: number;
  /** The peak growth of the service's memory over `before`. */
  readonly grownBytes: number;
}

/**
 * Requests `/healthz` at a fixed rate, whether or not earlier probes have been answered, because a service that stops
 * for a second delays every client that arrives in that second. The service is killed when it has grown by
 * `giveUpBytes`, to protect the machine.
 */
export async function probe(
  service: AttackedService,
  before: number,
  { forMs, giveUpBytes, everyMs = 20 }: { forMs: number; giveUpBytes: number; everyMs?: number },
): Promise<Probed> {
  let [failed, grownBytes] = [0, 0];
  const look = () => {
    grownBytes = Math.max(grownBytes, service.residentBytes() - before);
    if (grownBytes > giveUpBytes) service.child.kill('SIGKILL');
  };
  const timer = setInterval(look, 50);
  const probes: Promise<number>[] = [];
  const one = async (): Promise<number> => {
    const start = performance.now();
    await service.healthMs().catch(() => failed++);
    return performance.now() - start;
  };
  for (const end = Date.now() + forMs; Date.now() < end && isAlive(service); await sleep(everyMs))
    probes.push(one());
  const tookMs = await Promise.all(probes);
  clearInterval(timer);
  look();
  return { tookMs: tookMs.sort((a, b) => a - b), failed, grownBytes };
}

const isAlive = ({ child }: AttackedService): boolean => child.exitCode === null && child.signalCode === null;

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.POSITIVE_INFINITY;
