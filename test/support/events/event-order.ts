import { isAfter } from '../../../src/contract/event-id.ts';
import { parseJson } from '../../../src/contract/json.ts';
import type { StoredEvent } from '../../../src/store/store.ts';

type Fields = Readonly<Record<string, unknown>>;

interface PetEvent {
  readonly type: string;
  readonly pet?: Fields;
  readonly before?: Fields;
}

/** An animal as an event left it. */
interface State {
  readonly pet: Fields;
  readonly isRemoved: boolean;
}

/** The status that an event of an order needs, so that nothing else can have happened in between. */
const statusBefore: Readonly<Record<string, string>> = {
  'order.placed': 'available',
  'order.completed': 'pending',
  'order.cancelled': 'pending',
  'order.returned': 'sold',
};

/**
 * What contradicts that the events of each animal are in the order of its changes: one line for each event that does not continue
 * what the event before it left. Goes on after a contradiction, so that their number says how often it happens.
 */
export function findDisorder(events: readonly StoredEvent[]): string[] {
  const states = new Map<bigint, State>();
  const problems: string[] = [];
  for (const [i, { position, petId, json }] of events.entries()) {
    const previous = events[i - 1];
    if (previous && !isAfter(position, previous.position)) problems.push(`event ${i} is not after ${i - 1}`);
    const event = parseJson(json) as PetEvent;
    if (petId === undefined || !event.pet) continue;
    const { removedAt, reason, ...pet } = event.pet;
    // What an event of an order says of the time before is its note.
    const before = event.type.startsWith('order.') ? undefined : event.before;
    const problem = contradiction(event.type, pet, before, states.get(petId));
    if (problem !== undefined) problems.push(`event ${i}, ${event.type} of animal ${petId}: ${problem}`);
    states.set(petId, { pet, isRemoved: event.type === 'pet.removed' });
  }
  return problems;
}

function contradiction(
  type: string,
  pet: Fields,
  before: Fields | undefined,
  state: State | undefined,
): string | undefined {
  if (type === 'pet.created') return state && 'there was an event of it before';
  if (!state) return 'nothing has created it';
  if (state.isRemoved !== (type === 'pet.restored'))
    return state.isRemoved ? 'it was removed' : 'it was not removed';
  if (type === 'pet.updated' && !before) return 'it does not say what has changed';
  const status = statusBefore[type];
  const expected: Fields = { ...pet, ...before, ...(status !== undefined && { status }) };
  const different = Object.keys(expected).filter((field) => expected[field] !== state.pet[field]);
  if (different.length === 0) return undefined;
  const values = different.map(
    (field) => `${field} was ${String(state.pet[field])}, not ${String(expected[field])}`,
  );
  return values.join('; ');
}
