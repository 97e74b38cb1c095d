import { UsageError } from '../config.ts';
import { type EventPosition, parseEventId } from '../contract/event-id.ts';
import { int64FromText } from '../contract/int64.ts';
import { isConfigured } from '../contract/key.ts';
import { eventOperations } from '../contract/operations/events.ts';
import { followEvents } from '../store/follow-events.ts';
import type { EventFilter, Store, StoredEvent } from '../store/store.ts';
import type { Command } from './command.ts';
import { withStore } from './database.ts';
import { readFilters } from './filters.ts';
import { visible } from './io.ts';
import { noSuchKey } from './key-output.ts';
import { type Write, writeTo } from './output-file.ts';

const PAGE = 1000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Query extends EventFilter {
  readonly after: EventPosition | undefined;
}

export const events: Command = {
  summary: 'Print what has happened in the store, oldest first, one JSON line per event.',
  details:
    'With --follow, prints events as they happen, from now on or after --after, until it is interrupted. See docs/events.md.',
  positionals: [],
  settings: ['database'],
  flags: {
    follow: { type: 'boolean', meaning: 'continue with events as they happen' },
    after: { type: 'string', meaning: 'only events after the one with this id' },
    pet: { type: 'string', meaning: 'only events of the animal with this id and of its orders' },
    type: { type: 'string', multiple: true, meaning: 'only events of this type, such as order.completed' },
    key: {
      type: 'string',
      multiple: true,
      meaning: 'only changes that were made with the API key with this id',
    },
  },
  async run({ config, flags, repeated, io }) {
    const { type: types, keyId: keyIds } = readFilters(eventOperations.listEvents.query, repeated, {
      type: 'type',
      key: 'keyId',
    });
    const query = { after: positionOf(flags.after), petId: petIdOf(flags.pet), types, keyIds };
    await withStore({ config }, (store) =>
      writeTo(io, '-', (write) =>
        flags.follow
          ? untilStopped((signal) => follow(store, query, write, signal))
          : printAll(store, query, write),
      ),
    );
  },
};

const linesOf = (events: readonly StoredEvent[]): string =>
  events.map(({ json }) => `${visible(json)}\n`).join('');

/** Prints the events that there are. */
async function printAll(store: Store, { after, ...filter }: Query, write: Write): Promise<void> {
  let position = after;
  let isEmpty = true;
  do {
    const { events, next } = await store.listEvents({ ...filter, limit: PAGE, after: position });
    isEmpty &&= events.length === 0;
    await write(linesOf(events));
    position = next;
  } while (position);
  if (isEmpty) await assertKeysExist(store, filter);
}

/** A mistyped id would otherwise look like a key that has changed nothing. The store does not know those of API_KEYS. */
async function assertKeysExist(store: Store, { keyIds = [] }: EventFilter): Promise<void> {
  for (const id of keyIds) if (!isConfigured(id) && !(await store.getKey(id))) throw noSuchKey(id);
}

async function follow(
  store: Store,
  { after, ...filter }: Query,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  await assertKeysExist(store, filter);
  const start = after ?? (await store.latestEvent());
  for await (const events of followEvents(store, { ...filter, after: start, limit: PAGE, signal }))
    await write(linesOf(events));
}

async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  try {
    await work(controller.signal);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
}

function positionOf(given: string | boolean | undefined): EventPosition | undefined {
  const position = parseEventId(`${given}`);
  if (given !== undefined && position === undefined)
    throw new UsageError('--after must be the id of an event, copied unchanged');
  return position;
}

function petIdOf(given: string | boolean | undefined): bigint | undefined {
  const id = int64FromText(`${given}`);
  if (given !== undefined && id === undefined)
    throw new UsageError(`--pet must be the id of an animal, not "${given}"`);
  return id;
}
