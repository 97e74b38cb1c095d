import type { JSX } from 'preact';
import type { Event } from '../../../../client/index.ts';
import { counted, short, statusWord } from '../parts/wording.ts';
import { shop } from '../session.ts';

/** The shape that stands for an event. */
export function eventShape({ type }: Event) {
  if (type === 'order.placed') return 'reserved';
  if (type === 'order.completed') return 'sold';
  if (type === 'order.cancelled') return 'cancelled';
  if (type === 'order.returned') return 'returned';
  if (type === 'pet.restored') return 'available';
  if (type === 'pet.removed' || type === 'category.removed') return 'removed';
  const isEdit = type === 'pet.updated' || type === 'order.updated' || type === 'category.renamed';
  return isEdit ? 'edited' : 'added';
}

/** What has happened to an animal, without its name: `Renamed from “Bisquit”`. */
export function petChange({ type, pet, order, before }: Event): string {
  const note = order?.note === undefined ? '' : `: ${short(order.note)}`;
  switch (type) {
    case 'pet.created':
      return !pet || pet.status === 'available'
        ? 'Added'
        : `Added as ${statusWord(pet.status).toLowerCase()}`;
    case 'pet.removed':
      return `Removed${pet?.reason === undefined ? '' : `: ${unquoted(pet.reason)}`}`;
    case 'pet.restored':
      return 'Restored';
    case 'order.placed':
      if (before?.orderStatus === 'completed') return 'Sale undone, reserved again';
      return `Reserved${before?.orderStatus === undefined ? '' : ' again'}${note}`;
    case 'order.completed':
      return before?.orderStatus === 'returned' ? 'Return undone' : `Sold${note}`;
    case 'order.cancelled':
      return before?.orderStatus === 'completed' ? 'Sale undone' : 'Reservation cancelled';
    case 'order.returned':
      return 'Returned';
    case 'order.updated':
      return noteChange(order?.note, before?.note ?? undefined);
    default:
      return upperFirst(
        [
          ...(before?.name === undefined ? [] : [`renamed from ${short(before.name)}`]),
          ...(before?.categoryId === undefined || !pet
            ? []
            : [`moved from ${categoryWord(before.categoryId)} to ${categoryWord(pet.categoryId)}`]),
          ...(before?.status === undefined || !pet ? [] : [`set to ${statusWord(pet.status)}`]),
        ].join(', ') || 'changed',
      );
  }
}

function noteChange(now: string | undefined, before: string | undefined): string {
  if (now === undefined) return before === undefined ? 'Note removed' : `Note removed: ${short(before)}`;
  return before === undefined ? `Note added: ${short(now)}` : `Note changed to ${short(now)}`;
}

/** What has happened, as a sentence. `animal` is the name of the animal, as a link. */
export function eventSentence(event: Event, animal: JSX.Element | null): JSX.Element {
  const { type, category, before, imported, pet, order } = event;
  if (imported) return <>{`${counted(imported.count, 'animal was', 'animals were')} added from a file`}</>;
  if (category) {
    const name = short(category.name);
    if (type === 'category.renamed' && before?.name !== undefined)
      return <>{`Category ${short(before.name)} was renamed to ${name}`}</>;
    const verb = { 'category.created': 'added', 'category.removed': 'removed' }[type as string];
    return <>{`Category ${name} was ${verb ?? 'renamed'}`}</>;
  }
  if (type === 'order.updated')
    return (
      <>
        The note of {animal ?? `order ${order?.id}`}
        {order?.note === undefined ? ' was removed' : ` is now ${short(order.note)}`}
      </>
    );
  if (!pet) return <>Something has changed</>;
  if (before?.orderStatus === 'completed' && type !== 'order.returned')
    return (
      <>
        The sale of {animal} was undone{type === 'order.placed' ? '; it is reserved again' : null}
      </>
    );
  if (before?.orderStatus === 'returned') return <>The return of {animal} was undone</>;
  if (type === 'order.cancelled') return <>The reservation of {animal} was cancelled</>;
  if (type === 'order.returned') return <>{animal} was taken back; the order is returned</>;
  return (
    <>
      {animal} was {lowerFirst(petChange(event))}
    </>
  );
}

export interface ByWhomProps {
  readonly event: Event;
  /** Names that tell no key from another: those of `sharedKeyNames`. */
  readonly shared: ReadonlySet<string>;
}

/** Who did it: a key by its name, and by its id where another key of that name is in the list. */
export function ByWhom({ event: { keyId, keyName }, shared }: ByWhomProps): JSX.Element {
  const name = unquoted(keyName ?? 'the command line');
  const isShared = keyName !== null && shared.has(keyName);
  return (
    <>
      by <bdi {...(keyId === null ? {} : { title: `Key ${keyId}` })}>{name}</bdi>
      {isShared ? ` (key ${keyId})` : null}
    </>
  );
}

/** The names of keys that belong to several keys among these events. */
export function sharedKeyNames(events: readonly Event[]): ReadonlySet<string> {
  const ids = new Map<string, string | null>();
  const shared = new Set<string>();
  for (const { keyId, keyName } of events) {
    if (keyName === null) continue;
    if (ids.has(keyName) && ids.get(keyName) !== keyId) shared.add(keyName);
    ids.set(keyName, keyId);
  }
  return shared;
}

const unquoted = (text: string): string => short(text).slice(1, -1);
const categoryWord = (id: bigint): string => {
  const name = shop().categories.nameOf(id);
  return name === undefined ? `category ${id}` : unquoted(name);
};
const upperFirst = (text: string) => text[0]?.toUpperCase() + text.slice(1);
const lowerFirst = (text: string) => text[0]?.toLowerCase() + text.slice(1);
