import { effect, signal } from '@preact/signals';
import { AnimalStoreError, type Pet } from '../../../../client/index.ts';
import { CSV_HEADER, csvRow } from '../data/csv.ts';
import { matchingAnimals } from '../data/matching.ts';
import { isExplained, session } from '../data/session.ts';
import { listAddress } from '../route.ts';

type Purpose = 'csv' | 'print';

/** The animals that are being loaded for a file or for paper, and how many there are so far. */
export const gathering = signal<{ readonly purpose: Purpose; readonly count: number } | undefined>(undefined);
export const gatheringFailed = signal(false);
/** What is on paper: every animal that matches. Undefined while nothing is printed. */
export const printed = signal<readonly Pet[] | undefined>(undefined);

/** Increases with everything that ends the gathering under way. */
let version = 0;

export function stopGathering(): void {
  version++;
  gathering.value = undefined;
  gatheringFailed.value = false;
}

effect(() => {
  void listAddress.value;
  void session.value;
  stopGathering();
});

/** All animals that match the filter, or undefined when the person has stopped or it has failed. */
async function gather(purpose: Purpose): Promise<readonly Pet[] | undefined> {
  stopGathering();
  const ours = version;
  const found: Pet[] = [];
  gathering.value = { purpose, count: 0 };
  try {
    for await (const pets of matchingAnimals()) {
      if (ours !== version) return undefined;
      found.push(...pets);
      gathering.value = { purpose, count: found.length };
    }
    stopGathering();
    return found;
  } catch (error) {
    if (!(error instanceof AnimalStoreError)) throw error;
    if (ours !== version) return undefined;
    stopGathering();
    gatheringFailed.value = !isExplained(error);
    return undefined;
  }
}

export async function downloadCsv(): Promise<void> {
  const pets = await gather('csv');
  if (!pets) return;
  const file = new Blob([CSV_HEADER, ...pets.map(csvRow)], { type: 'text/csv;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `animals-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function printAll(): Promise<void> {
  const pets = await gather('print');
  if (!pets) return;
  printed.value = pets;
  addEventListener('afterprint', () => (printed.value = undefined), { once: true });
  // Once they are on the page.
  requestAnimationFrame(() => setTimeout(print));
}
