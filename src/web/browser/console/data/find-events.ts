import type { Event, EventQuery } from '../../../../client/index.ts';
import { read } from './find.ts';
import type { Source } from './list.ts';

/** What has happened to one animal, at most. */
const HISTORY = 50;

/** What has happened, the latest first. An event never changes. */
export const eventSource: Source<Event, EventQuery> = {
  page: (query) =>
    read(({ reads, signal }) =>
      reads.listEvents(typeof query === 'string' ? query : { ...query, order: 'newest' }, { signal }),
    ),
  lookUp: () => Promise.resolve([]),
  lookUps: 1,
  mayChange: () => false,
};

export const loadEvents = async (petId: bigint): Promise<readonly Event[]> =>
  (
    await read(({ reads, signal }) =>
      reads.listEvents({ petId, order: 'newest', limit: HISTORY }, { signal }),
    )
  ).items;
