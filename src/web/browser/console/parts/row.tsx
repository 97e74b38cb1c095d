import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { type Action, act } from '../data/act.ts';
import { cancel, makeAvailable, reserve, restore, sell, takeBack } from '../data/actions.ts';
import { type Animal, shownStatus } from '../data/cache.ts';
import { short } from '../data/text.ts';
import { animalHref, route } from '../route.ts';
import { isOffline, may, shop } from '../session.ts';
import { Tag } from './status.tsx';

interface RowProps {
  readonly class?: string | undefined;
  /** Before the name: a tick, a tag, a time. */
  readonly lead?: ComponentChildren;
  readonly name: ComponentChildren;
  readonly cells?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** The one row of every list. The list's own custom property says which columns it has. */
export const Row = ({ class: more, lead, name, cells, actions }: RowProps): JSX.Element => (
  <li class={more === undefined ? 'row' : `row ${more}`}>
    {lead}
    {name}
    <div class="cells">{cells}</div>
    {actions === undefined ? null : <div class="actions">{actions}</div>}
  </li>
);

/** What can be done with an animal in its state. The same on every page, in rows, in the panel and by keyboard. */
interface Offered {
  readonly label: 'Reserve' | 'Sell' | 'Cancel' | 'Make available' | 'Take back' | 'Restore';
  /** `Sell Biscuit` */
  readonly description: string;
  readonly key?: 's' | 'r';
  readonly action: () => Action;
}

/** `of` is the order that a row is about. Without it, the order that explains the status of the animal is used. */
export function actionsOf(animal: Animal, of?: Order): readonly Offered[] {
  const { cache } = shop();
  const order = of ?? cache.orderOf(animal);
  const name = short(animal.name);
  const offered = (
    label: Offered['label'],
    description: string,
    action: Offered['action'],
    key?: 's' | 'r',
  ) => ({
    ...{ label, description, action },
    ...(key && { key }),
  });
  const status = of?.status ?? shownStatus(animal);
  if (animal.removed)
    return may('pets:write') && !of
      ? [offered('Restore', `Restore ${name}`, () => restore(shop(), animal))]
      : [];
  if (cache.isWithoutOrder(animal) && !of)
    return may('pets:write')
      ? [offered('Make available', `Make available: ${name}`, () => makeAvailable(shop(), animal))]
      : [];
  if (!may('store:write')) return [];
  const selling = offered('Sell', `Sell ${name}`, () => sell(shop(), animal), 's');
  switch (status) {
    case 'available':
      return [offered('Reserve', `Reserve ${name}`, () => reserve(shop(), animal), 'r'), selling];
    case 'pending':
    case 'placed':
      return order
        ? [offered('Cancel', `Cancel the reservation of ${name}`, () => cancel(shop(), order)), selling]
        : [];
    case 'sold':
    case 'completed':
      return order ? [offered('Take back', `Take back ${name}`, () => takeBack(shop(), order))] : [];
    default:
      return [];
  }
}

/** Does nothing offline, or while another action runs on the animal. */
export function perform({ action }: Offered): void {
  if (!isOffline()) void act(shop(), action());
}

const LOOKS: Partial<Record<Offered['label'], string>> = {
  Sell: 'sell',
  'Take back': 'rare',
};

/** The buttons of a row: none while an action runs. */
function RowActions({ animal, order }: { readonly animal: Animal; readonly order?: Order }): JSX.Element {
  const isRunning = useComputed(() => shop().running.at(`animal-${animal.id}`) !== undefined).value;
  return (
    <>
      {(isRunning ? [] : actionsOf(animal, order)).map((offered) => (
        <button
          key={offered.label}
          type="button"
          class={`button ${LOOKS[offered.label] ?? ''}`}
          aria-label={offered.description}
          aria-disabled={isOffline()}
          onClick={(event) => {
            keepFocus(event.currentTarget);
            perform(offered);
          }}
        >
          {offered.label}
        </button>
      ))}
    </>
  );
}

/** Moves the focus from a button that is about to disappear to the link of its row; otherwise it would be lost. */
export function keepFocus(pressed: HTMLElement): void {
  if (pressed === document.activeElement)
    pressed.closest('.row')?.querySelector<HTMLElement>('.name')?.focus({ preventScroll: true });
}

interface AnimalRowProps {
  readonly id: bigint;
  /** The order that the row is about. */
  readonly order?: Order;
  readonly lead?: ComponentChildren;
  readonly class?: string | undefined;
  /** The cells, for the animal as far as it is known. */
  readonly cells: (animal: Animal | undefined) => ComponentChildren;
  readonly hasActions?: boolean;
}

/** An animal, or an order of it. The whole row opens its panel. It reads only its own data, so that a change draws no other row again. */
export function AnimalRow({
  id,
  order,
  lead,
  class: more = '',
  cells,
  hasActions = true,
}: AnimalRowProps): JSX.Element {
  const isOpen = useComputed(() => route.value.animal === id).value;
  const animal = shop().cache.animals.get(id);
  // In a list of orders, a sale looks like a reservation; only returned and cancelled orders are dimmed.
  const isOver = order
    ? ['cancelled', 'returned'].includes(order.status)
    : animal && ['sold', 'removed'].includes(shownStatus(animal));
  return (
    <Row
      class={`${isOpen ? 'open' : ''} ${isOver ? 'sold-row' : ''} ${more}`}
      lead={
        <>
          {lead}
          <Tag categoryId={animal?.categoryId} />
        </>
      }
      name={
        <a
          class="name"
          href={animalHref(id)}
          title={animal?.name}
          data-animal={`${id}`}
          data-order={order && `${order.id}`}
          aria-current={isOpen ? 'true' : undefined}
        >
          <b>
            <bdi>{animal?.name ?? nameless(id)}</bdi>
          </b>
          <small class="id">{`${id}`}</small>
        </a>
      }
      cells={cells(animal)}
      actions={animal && hasActions ? <RowActions animal={animal} {...(order && { order })} /> : ''}
    />
  );
}

/** An animal whose name is not known: not yet, not to this key, or not any more. */
const nameless = (id: bigint): string =>
  may('pets:read') && !shop().cache.animals.isKnown(id) ? '…' : `Animal ${id}`;
