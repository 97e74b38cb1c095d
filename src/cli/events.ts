import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../config.ts';
import { type EventPosition, later, parseEventId } from '../contract/event-id.ts';
import { int64FromText } from '../contract/int64.ts';
import type { Store } from '../store/store.ts';
import type { Command } from './command.ts';
import { withStore } from './database.ts';
import { visible } from './io.ts';
import { type Write, writeTo } from './output-file.ts';

const PAGE = 1000;
const POLL_MS = 100;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Query {
  readonly after: EventPosition | undefined;
  readonly petId: bigint | undefined;
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
  },
  async run({ config, flags, io }) {
    const query = { after: positionOf(flags.after), petId: petIdOf(flags.pet) };
    await withStore({ config }, (store) =>
      writeTo(io, '-', (write) =>
        flags.follow
          ? untilStopped((signal) => follow(store, query, write, signal))
          : printAll(store, query, write).then(() => {}),
      ),
    );
  },
};

/** Prints the events that there are, and returns the position of the last one. */
async function printAll(
  store: Store,
  { after, petId }: Query,
  write: Write,
): Promise<EventPosition | undefined> {
  for (let position = after; ; ) {
    const { events, hasMore } = await store.listEvents({ limit: PAGE, after: position, petId });
    if (events.length > 0) await write(`${events.map(({ json }) => visible(json)).join('\n')}\n`);
    position = events.at(-1)?.position ?? position;
    if (!hasMore) return position;
  }
}

async function follow(
  store: Store,
  { after, petId }: Query,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  let position = after ?? (await store.latestEvent());
  while (!signal.aborted) {
    // Past the events of other animals, too: the one that it continues after must not be deleted.
    const latest = await store.latestEvent();
    position = later(await printAll(store, { after: position, petId }, write), latest);
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
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
