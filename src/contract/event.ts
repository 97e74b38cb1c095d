import * as v from 'valibot';
import { severalOf, VALUES_MAX } from './bounded-filters.ts';
import { CategoryName, categoryNameJson } from './category.ts';
import { ApiError } from './errors.ts';
import { type EventPosition, eventId, parseEventId } from './event-id.ts';
import { Int64 } from './int64.ts';
import { Order, OrderStatus, orderJson } from './order.ts';
import { ListedPet, listedPetJson, type Pet, PetUpdate, petJson } from './pet.ts';
import { time } from './time.ts';

/** What every event of a type has. Some of them have more. */
export const eventContents = {
  'pet.created': ['pet'],
  'pet.updated': ['pet', 'before'],
  'pet.removed': ['pet'],
  'pet.restored': ['pet'],
  'pets.imported': ['imported'],
  'order.placed': ['order'],
  'order.completed': ['order'],
  'order.cancelled': ['order'],
  'order.returned': ['order'],
  'order.updated': ['order', 'before'],
  'category.created': ['category'],
  'category.renamed': ['category', 'before'],
  'category.removed': ['category'],
} as const;

export const EventType = v.pipe(
  v.picklist(Object.keys(eventContents) as (keyof typeof eventContents)[]),
  v.title('EventType'),
  v.description('What has happened. New types may be added: ignore those that you do not know.'),
);
export type EventType = v.InferOutput<typeof EventType>;

const isEventType = (text: string): text is EventType =>
  (EventType.pipe[0].options as readonly string[]).includes(text);

/** `?type=order.completed` */
export const EventTypeFilter = severalOf(
  isEventType,
  `must be 1 to ${VALUES_MAX} of ${EventType.pipe[0].options.join(', ')}`,
  'Restricts the result to changes of this type.',
  { $ref: '#/components/schemas/EventType' },
);

export const ImportSummary = v.pipe(
  v.object({
    count: v.pipe(Int64, v.description('How many animals were added.')),
    firstId: v.pipe(Int64, v.description('The lowest of their identifiers.')),
    lastId: v.pipe(
      Int64,
      v.description('The highest of their identifiers. Those of other animals may be in between.'),
    ),
  }),
  v.title('ImportSummary'),
  v.description('The animals that an import from a file has added.'),
);
export type ImportSummary = v.InferOutput<typeof ImportSummary>;

export const FieldsBefore = v.pipe(
  v.object({
    ...PetUpdate.pipe[0].entries,
    orderStatus: v.optional(
      v.pipe(OrderStatus, v.description('The status of the order. Absent if the order is new.')),
    ),
    note: v.optional(
      v.pipe(v.nullable(v.string()), v.description('The note of the order; null if it had none.')),
    ),
  }),
  v.title('FieldsBefore'),
  v.description('The changed fields, with their previous values.'),
);
export type FieldsBefore = v.InferOutput<typeof FieldsBefore>;

const author = (description: string) => v.pipe(v.nullable(v.string()), v.description(description));

export const Event = v.pipe(
  v.object({
    id: v.pipe(
      v.string(),
      v.description('Identifies the event. As `after` it leads to the events that follow.'),
    ),
    type: EventType,
    at: time(
      'When it happened, in UTC. Events are in the order of their commits, which may differ from that of their times.',
    ),
    keyId: author('The identifier of the API key that made the change; null for the command line.'),
    keyName: author('The name that the key had; null for the command line.'),
    pet: v.optional(ListedPet),
    order: v.optional(Order),
    category: v.optional(CategoryName),
    before: v.optional(FieldsBefore),
    imported: v.optional(ImportSummary),
  }),
  v.title('Event'),
  v.description(
    'One change. It has the animal, order or category as the change left it; one that was removed is as it was before. An event of an order has its animal as well.',
  ),
);
export type Event = v.InferOutput<typeof Event>;

export const Events = v.pipe(v.array(Event), v.title('Events'), v.description('Events, oldest first.'));

/** `?order=newest` */
export const EventOrder = v.pipe(
  v.picklist(['oldest', 'newest'], 'must be oldest or newest'),
  v.description(
    'Which events come first. With `newest`, `after` leads to older ones, and what happens later is not part of the pages: use it to show recent changes to a person. A program that must miss nothing reads the oldest first.',
  ),
  v.metadata({ default: 'oldest' }),
);

/** `?after=ID` */
export const After = v.pipe(
  v.string('must be given once'),
  v.check((text) => parseEventId(text) !== undefined, 'is not the id of an event: copy it unchanged'),
  v.transform((text) => parseEventId(text) as EventPosition),
  v.description(
    'The `id` of an event: returns those that follow it. Without it, from the oldest that is kept.',
  ),
  v.metadata({ type: 'string' }),
);

export const cursorExpired = () =>
  new ApiError(
    'cursor_expired',
    'The event of `after` is no longer kept, or was lost when the store was restored from a backup. Start again without `after`, then read what you need as it is now.',
  );

/** Who makes a change: the API key, with the name that it has now. */
export interface Author {
  readonly keyId: string;
  readonly keyName: string;
}

/** What an event has in addition to its position: the members that depend on its type are JSON that was written with the change. */
export interface EventFields {
  readonly type: EventType;
  readonly keyId?: string | undefined;
  readonly keyName?: string | undefined;
  readonly content: string;
}

export function eventJson(position: EventPosition, { type, keyId, keyName, content }: EventFields): string {
  const author = `"keyId":${JSON.stringify(keyId ?? null)},"keyName":${JSON.stringify(keyName ?? null)}`;
  return `{"id":"${eventId(position)}","type":"${type}","at":"${position.at.toISOString()}",${author},${content.slice(1)}`;
}

/** An event before it has its number: what has happened, and the animal that it belongs to, if any. */
export interface NewEvent extends Pick<EventFields, 'type' | 'content'> {
  readonly petId?: bigint;
}

/** With `old`, adds the previous values of the changed fields as `before`. */
export const petEvent = (
  type: Extract<EventType, `pet.${string}`>,
  pet: ListedPet,
  old?: Pet,
  json = listedPetJson(pet),
): NewEvent => ({
  type,
  petId: pet.id,
  content: `{"pet":${json}${before(pet, old)}}`,
});

/** With `old`, adds the previous status and note as `before`, as far as they have changed. */
export const orderEvent = (
  type: Extract<EventType, `order.${string}`>,
  order: Order,
  pet: Pet | undefined,
  old: Order = order,
  json = orderJson(order),
): NewEvent => {
  const changed = [
    ...(old.status === order.status ? [] : [`"orderStatus":"${old.status}"`]),
    ...(old.note === order.note ? [] : [`"note":${JSON.stringify(old.note ?? null)}`]),
  ];
  const members = [
    `"order":${json}`,
    ...(pet ? [`"pet":${petJson(pet)}`] : []),
    ...(changed.length > 0 ? [`"before":{${changed.join()}}`] : []),
  ];
  return { type, petId: order.petId, content: `{${members.join()}}` };
};

export const categoryEvent = (
  type: Extract<EventType, `category.${string}`>,
  category: CategoryName,
  old?: CategoryName,
): NewEvent => ({
  type,
  content: `{"category":${categoryNameJson(category)}${before(category, old)}}`,
});

export const importEvent = ({ count, firstId, lastId }: ImportSummary): NewEvent => ({
  type: 'pets.imported',
  content: `{"imported":{"count":${count},"firstId":${firstId},"lastId":${lastId}}}`,
});

function before<T extends Pet | CategoryName>(now: T, old: T | undefined): string {
  if (!old) return '';
  const changed = Object.entries(old).filter(([name, value]) => value !== now[name as keyof T]);
  const members = changed.map(
    ([name, value]) => `"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
  );
  return `,"before":{${members.join()}}`;
}
