import { effect, signal } from '@preact/signals';
import { AnimalStoreError } from '../../../../client/index.ts';
import { listAddress, route } from '../address.ts';
import { isExplained } from '../data/api.ts';
import { animalsCsv } from '../data/csv.ts';
import { animalQuery } from '../data/views.ts';
import { dayOf } from '../parts/calendar.ts';
import { now } from '../parts/clock.ts';
import { download } from '../parts/download.ts';
import { reservedAt } from '../parts/time.ts';
import { statusWord } from '../parts/wording.ts';
import { sessions } from '../session.ts';
import { type Gathered, gatherAnimals } from './paper-data.ts';

/** How many animals have been loaded for a file or for paper; undefined while none are. */
export const gathered = signal<number | undefined>(undefined);
export const hasFailed = signal(false);
/** What is on paper: every animal that matches. Undefined while nothing is printed. */
export const printed = signal<readonly Gathered[] | undefined>(undefined);

/** Increases with everything that ends the gathering under way: there is one at a time. */
let version = 0;

export function stopGathering(): void {
  version++;
  gathered.value = undefined;
  hasFailed.value = false;
}

effect(() => {
  void listAddress.value;
  void sessions.current.value;
  stopGathering();
});

/** All animals that match the filter, or undefined when the person has stopped or it has failed. */
async function gather(): Promise<readonly Gathered[] | undefined> {
  const shop = sessions.current.peek();
  const to = route.peek();
  if (!shop || to.view !== 'animals') return undefined;
  stopGathering();
  const ours = version;
  const isCurrent = () => ours === version;
  const progress = (count: number) => {
    if (isCurrent()) gathered.value = count;
  };
  progress(0);
  try {
    const found = await gatherAnimals(shop, animalQuery(to), { progress, isCurrent });
    if (!isCurrent()) return undefined;
    stopGathering();
    return found;
  } catch (error) {
    if (!(error instanceof AnimalStoreError)) throw error;
    if (!isCurrent()) return undefined;
    stopGathering();
    hasFailed.value = !isExplained(error);
    return undefined;
  }
}

export async function downloadCsv(): Promise<void> {
  const found = await gather();
  const categories = sessions.current.peek()?.categories;
  if (!found || !categories) return;
  const rows = found.map(({ animal: { id, name, categoryId, status }, order }) => ({
    id,
    name,
    categoryId,
    category: categories.nameOf(categoryId),
    status: statusWord(status),
    note: order?.note,
    reservedAt: order && reservedAt(order),
    soldAt: order?.completedAt,
  }));
  download(`animals-${dayOf(now.peek())}.csv`, animalsCsv(rows));
}

/**
 * Prints every animal that matches, as a table. The list has only the rows that are loaded, and a browser prints a plain table much faster
 * than many rows (decision 8).
 */
export async function printAll(): Promise<void> {
  const found = await gather();
  if (!found) return;
  printed.value = found;
  addEventListener('afterprint', () => (printed.value = undefined), { once: true });
  // Once they are on the page.
  requestAnimationFrame(() => setTimeout(print));
}
