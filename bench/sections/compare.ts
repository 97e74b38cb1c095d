import type { Contender, Environment } from '../contenders/contender.ts';
import { contenders, contendersFor } from '../contenders/contenders.ts';
import type { RunningServer } from '../contenders/processes.ts';
import type { Figures } from '../measure/figures.ts';
import { measureAlternately, type ServerUnderTest } from '../measure/rounds.ts';
import { comparisonTable } from '../report/comparison-table.ts';
import { type Run, SECONDS_TO_START, secondsPerWorkload } from '../run.ts';
import { KEY } from '../workloads/calls.ts';
import type { Workload } from '../workloads/workload.ts';

export interface Comparison {
  readonly workload: Workload;
  /** By the name of the contender. A contender that does not support the workload is missing. */
  readonly figures: ReadonlyMap<string, Figures>;
}

export function comparisonSeconds(run: Run, workloads: readonly Workload[]): number {
  const perWorkload = secondsPerWorkload(run.schedule);
  const groups = [...Map.groupBy(workloads, ({ animals }) => animals)];
  return groups.reduce((sum, [animals, group]) => {
    const available = supported(contendersOf(group), { ...run, animals });
    const measured = group.flatMap((workload) =>
      available.filter((one) => contendersFor(workload).includes(one)),
    );
    return sum + available.length * SECONDS_TO_START + measured.length * perWorkload;
  }, 0);
}

/** Every contender with every workload it supports. Workloads with the same number of animals share their servers. */
export async function compare(run: Run, workloads: readonly Workload[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [animals, group] of Map.groupBy(workloads, (workload) => workload.animals)) {
    const servers = await startAll(run, animals, group);
    for (const family of Map.groupBy(group, (workload) => workload.variantOf ?? workload).values()) {
      comparisons.push(...(await compareFamily(run, family, servers)));
    }
    for (const { server } of servers) await server.stop();
  }
  return comparisons.sort((a, b) => workloads.indexOf(a.workload) - workloads.indexOf(b.workload));
}

/** A workload and its variants, measured in the same rounds, because their ratio is what matters. */
async function compareFamily(
  run: Run,
  family: readonly Workload[],
  servers: readonly Competitor[],
): Promise<Comparison[]> {
  const measurements = servers.flatMap((subject) =>
    family
      .filter((workload) => contendersFor(workload).includes(subject.contender))
      .map((workload) => ({ workload, subject })),
  );
  const measured = [...(await measureAlternately(run, measurements))];
  return family.map((workload) => {
    const own = measured.filter(([one]) => one.workload === workload);
    const figures = new Map(own.map(([{ subject }, found]) => [subject.name, found]));
    run.progress.print(`\n${workload.name}\n\n${comparisonTable(contendersFor(workload), figures)}\n`);
    return { workload, figures };
  });
}

interface Competitor extends ServerUnderTest {
  readonly contender: Contender;
}

async function startAll(run: Run, animals: number, group: readonly Workload[]): Promise<Competitor[]> {
  const { progress, schedule } = run;
  const environment: Environment = { ...run, animals };
  const servers: Competitor[] = [];
  let expected: string | undefined;
  for (const contender of supported(contendersOf(group), environment)) {
    const { name, targetOf } = contender;
    try {
      const server = await progress.during(`starting ${name}`, SECONDS_TO_START, () =>
        contender.start(environment),
      );
      const page = await firstPageOf(contender, server);
      expected ??= page;
      if (page !== expected) throw new Error(`it has other animals: ${page}`);
      servers.push({ contender, name, server, targetOf });
    } catch (error) {
      progress.plan(-group.length * secondsPerWorkload(schedule));
      progress.problem(`${name} with ${animals} animals: ${(error as Error).message}`);
    }
  }
  return servers;
}

/** The contenders that at least one of these workloads is measured for. */
function contendersOf(group: readonly Workload[]): Contender[] {
  return contenders.filter((one) => group.some((workload) => contendersFor(workload).includes(one)));
}

function supported(among: readonly Contender[], environment: Environment): Contender[] {
  return among.filter(({ supports }) => supports(environment));
}

/** In a canonical form: a contender that returns other animals does not do the same work. */
async function firstPageOf({ targetOf }: Contender, { port }: RunningServer): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${targetOf({ kind: 'first' })}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  return JSON.stringify(await response.json());
}
