import { reserve, sell } from '../data/actions/selling.ts';
import { type Animal, shownStatus } from '../data/cache/animal.ts';
import { isOffline, may, shop } from '../session.ts';

/** What can be done with one animal in its row, by pointer or by keyboard. */
export type RowAction = 'sell' | 'reserve';

const POSSIBLE: Readonly<Record<ReturnType<typeof shownStatus>, readonly RowAction[]>> = {
  available: ['reserve', 'sell'],
  pending: ['sell'],
  sold: [],
  removed: [],
};

/** Whether an action of this row can begin now. */
export const isFree = ({ id }: Animal): boolean => !isOffline() && !shop().outcomes.isBusy(`animal-${id}`);

/** What the status of an animal and the key allow. */
export function actionsOf(animal: Animal): readonly RowAction[] {
  const status = shownStatus(animal);
  // Without an order it has to be made available first.
  const isWithoutOrder = status === 'pending' && !shop().cache.reservationOf(animal.id);
  return isFree(animal) && may('store:write') && !isWithoutOrder ? POSSIBLE[status] : [];
}

/** Does nothing where the row does not offer it. */
export function runAction(action: RowAction, animal: Animal): void {
  if (actionsOf(animal).includes(action)) void { sell, reserve }[action](shop(), animal);
}
