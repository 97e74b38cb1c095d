import type { JSX } from 'preact';
import type { Event } from '../../../../client/index.ts';
import { counted, quoted, short, statusWord, upperFirst } from '../data/text.ts';
import { shop } from '../session.ts';

/** The shape of an event: the class of its state. */
export function eventShape({ type, before }: Event): string {
  if (before?.orderStatus === 'completed' && type !== 'order.returned') return 'changed';
  if (type === 'order.placed') return 'reserved';
  if (type === 'order.completed') return 'sold';
  if (['order.cancelled', 'pet.removed', 'category.removed'].includes(type)) return 'removed';
  if (['pet.created', 'pet.restored', 'order.returned', 'category.created'].includes(type))
    return 'available';
  return 'changed';
}

/** What has happened to an animal, without its name: `Renamed from “Bisquit”`. */
export function petChange({ type, pet, order, before }: Event): string {
  const note = order?.note === undefined ? '' : `: ${quoted(order.note)}`;
  switch (type) {
    case 'pet.created':
      return !pet || pet.status === 'available'
        ? 'Added'
        : `Added as ${statusWord(pet.status).toLowerCase()}`;
    case 'pet.removed':
      return `Removed${pet?.reason === undefined ? '' : `: ${short(pet.reason)}`}`;
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
      return 'Taken back';
    case 'order.updated':
      return noteChange(order?.note, before?.note ?? undefined);
    default:
      return upperFirst(
        [
          ...(before?.name === undefined ? [] : [`renamed from ${quoted(before.name)}`]),
          ...(before?.categoryId === undefined || !pet
            ? []
            : [
                `moved from ${shop().categories.wordFor(before.categoryId)} to ${shop().categories.wordFor(pet.categoryId)}`,
              ]),
          ...(before?.status === undefined || !pet ? [] : [`set to ${statusWord(pet.status).toLowerCase()}`]),
        ].join(', ') || 'changed',
      );
  }
}

function noteChange(now: string | undefined, before: string | undefined): string {
  if (now === undefined) return before === undefined ? 'Note removed' : `Note removed: ${quoted(before)}`;
  return before === undefined ? `Note added: ${quoted(now)}` : `Note changed to ${quoted(now)}`;
}

/** What has happened, as a sentence. `animal` is the name of the animal, as a link. */
export function eventSentence(event: Event, animal: JSX.Element | null): JSX.Element {
  const { type, category, before, imported, pet, order } = event;
  if (imported) return <>{`${counted(imported.count, 'animal was', 'animals were')} added from a file`}</>;
  if (category) {
    const name = quoted(category.name);
    if (type === 'category.renamed' && before?.name !== undefined)
      return <>{`Category ${quoted(before.name)} was renamed to ${name}`}</>;
    const verb = { 'category.created': 'added', 'category.removed': 'removed' }[type as string];
    return <>{`Category ${name} was ${verb ?? 'renamed'}`}</>;
  }
  if (type === 'order.updated')
    return (
      <>
        The note of {animal ?? `order ${order?.id}`}
        {order?.note === undefined ? ' was removed' : ` is now ${quoted(order.note)}`}
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
  const change = petChange(event);
  return (
    <>
      {animal} was {(change[0]?.toLowerCase() ?? '') + change.slice(1)}
    </>
  );
}

export const authorWord = (keyName: string | null): string => short(keyName ?? 'the command line');
