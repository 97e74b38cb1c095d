import { makeAvailable } from '../../data/actions/corrections.ts';
import { restore } from '../../data/actions/removal.ts';
import { cancel, reserve, returnSale, sell, sellReserved } from '../../data/actions/selling.ts';
import { type Animal, shownStatus } from '../../data/cache/animal.ts';
import { may, shop } from '../../session.ts';
import { isWithoutOrder, orderOf } from './order-of.ts';

export interface PanelAction {
  readonly text: string;
  /** In full, where the text does not say of what. */
  readonly description?: string | undefined;
  readonly isMain?: boolean;
  /** Not to be done yet. */
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

/** The one or two things that are done with an animal in its present state. */
export function mainActions(animal: Animal): readonly PanelAction[] {
  const status = shownStatus(animal);
  if (status === 'removed') return may('pets:write') ? [bringBack(animal)] : [];
  if (status === 'available') return may('store:write') ? [sellAction(animal), reserveAction(animal)] : [];
  if (isWithoutOrder(animal)) return may('pets:write') ? [available(animal)] : [];
  if (!may('store:write')) return [];
  return status === 'pending' ? reservedActions(animal) : [takeBack(animal)];
}

/** The Undo of a removal, as long as it is offered; later the same is called Restore. */
function bringBack(animal: Animal): PanelAction {
  const outcome = shop().outcomes.at(`animal-${animal.id}`);
  if (outcome?.kind !== 'done' || !outcome.offer)
    return { text: 'Restore', run: () => void restore(shop(), animal) };
  const { label, description, run } = outcome.offer;
  return { text: label, description, run: () => void run() };
}

const note = ({ id }: Animal): string | undefined => shop().notes.of(id).peek()?.trim() || undefined;

const sellAction = (animal: Animal): PanelAction => ({
  text: 'Sell',
  isMain: true,
  run: () => void sell(shop(), animal, note(animal)),
});

const reserveAction = (animal: Animal): PanelAction => ({
  text: 'Reserve',
  run: () => void reserve(shop(), animal, note(animal)),
});

const available = (animal: Animal): PanelAction => ({
  text: 'Make available',
  run: () => void makeAvailable(shop(), animal),
});

/** Until the order is known, there is nothing to sell or cancel. */
function reservedActions(animal: Animal): readonly PanelAction[] {
  const order = orderOf(animal);
  const isDisabled = !order;
  return [
    { text: 'Sell', isMain: true, isDisabled, run: () => order && void sellReserved(shop(), order) },
    { text: 'Cancel reservation', isDisabled, run: () => order && void cancel(shop(), order) },
  ];
}

function takeBack(animal: Animal): PanelAction {
  const order = orderOf(animal);
  return { text: 'Take back', isDisabled: !order, run: () => order && void returnSale(shop(), order) };
}
