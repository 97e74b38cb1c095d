import type { Contender, Place } from '../contenders/contender.ts';
import { contenders } from '../contenders/contenders.ts';
import { prism } from '../contenders/peers.ts';
import type { Running } from '../contenders/processes.ts';
import type { Figures } from '../measure/figures.ts';
import { type Entrant, inRounds } from '../measure/rounds.ts';
import { workTable } from '../report/tables.ts';
import { type Run, SECONDS_TO_START, secondsEach } from '../run.ts';
import { KEY } from '../work/calls.ts';
import type { Work } from '../work/works.ts';

export interface Comparison {
  readonly work: Work;
  /** By the name of the contender; who cannot do the work is missing. */
  readonly figures: ReadonlyMap<string, Figures>;
}

export function comparisonSeconds(run: Run, works: readonly Work[]): number {
  const groups = [...Map.groupBy(works, (work) => work.animals)];
  return groups.reduce((sum, [animals, { length }]) => {
    return sum + able({ ...run, animals }).length * (SECONDS_TO_START + length * secondsEach(run.pace));
  }, 0);
}

/** Every contender at every work that it can do, with the works on the same number of animals on the same servers. */
export async function compare(run: Run, works: readonly Work[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [animals, group] of Map.groupBy(works, (work) => work.animals)) {
    const entrants = await startAll(run, animals, group.length);
    for (const work of group) {
      const figures = await inRounds(run, work, entrants);
      comparisons.push({ work, figures });
      run.progress.print(`\n${work.name}\n\n${workTable({ work, figures })}\n`);
    }
    for (const { server } of entrants) await server.stop();
  }
  return comparisons.sort((a, b) => works.indexOf(a.work) - works.indexOf(b.work));
}

async function startAll(run: Run, animals: number, works: number): Promise<Entrant[]> {
  const { progress, pace } = run;
  const place: Place = { ...run, animals };
  const entrants: Entrant[] = [];
  let expected: string | undefined;
  for (const contender of able(place)) {
    const { name, target } = contender;
    try {
      const server = await progress.during(`starting ${name}`, SECONDS_TO_START, () =>
        contender.start(place),
      );
      const page = await firstPageOf(contender, server);
      expected ??= page;
      if (page !== expected && contender !== prism) throw new Error(`it has other animals: ${page}`);
      entrants.push({ name, server, target });
    } catch (error) {
      progress.plan(-works * secondsEach(pace));
      progress.problem(`${name} with ${animals} animals: ${(error as Error).message}`);
    }
  }
  return entrants;
}

function able(place: Place): Contender[] {
  return contenders.filter(({ can }) => can(place));
}

/** In one form: whoever sends other animals is not doing the same work. */
async function firstPageOf({ target }: Contender, { port }: Running): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${target({ kind: 'first' })}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  return JSON.stringify(await response.json());
}
