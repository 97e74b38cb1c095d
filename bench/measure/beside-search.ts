import type { RunningServer } from '../contenders/processes.ts';
import type { Run, Schedule } from '../run.ts';
import { ourTarget } from '../workloads/calls.ts';
import { getPet } from '../workloads/read-workloads.ts';
import { getRequest, requestsOf } from '../workloads/requests.ts';
import { medians, type Times, timesOf } from './figures.ts';
import { load } from './load.ts';
import { uncachedTargets } from './searches.ts';

/** The clients that read single animals. */
export const READERS = 8;

/** What clients that read single animals measure without and with another one that searches. */
export interface BesideSearch {
  readonly alone: Times;
  readonly searching: Times;
}

/** An estimate for the progress display. */
export const secondsBeside = ({ rounds, seconds }: Schedule) => (rounds + 1) * 2 * seconds;

/** Alternates between rounds without and with a client that searches for nothing without a pause. */
export async function readBesideSearch(
  { schedule: { rounds, seconds }, progress }: Run,
  server: RunningServer,
  animals: number,
): Promise<BesideSearch> {
  const { port } = server;
  const gets = requestsOf(getPet, ourTarget, animals);
  const pages = (await uncachedTargets(server)).map(getRequest);
  const read = async () => timesOf(await load({ port, clients: READERS, seconds, requests: gets }));
  const search = () => load({ port, clients: 1, seconds, requests: pages });
  const alone: Times[] = [];
  const searching: Times[] = [];
  for (let round = 0; round <= rounds; round++) {
    alone.push(await progress.during('getPet alone', seconds, read));
    const [times] = await progress.during('getPet beside a search', seconds, () =>
      Promise.all([read(), search()]),
    );
    searching.push(times);
  }
  // The first round of each is a warm-up.
  return { alone: medians(alone.slice(1)), searching: medians(searching.slice(1)) };
}
