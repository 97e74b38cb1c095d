import type { JSX } from 'preact';
import type { Inventory, PetStatus } from '../../../../client/index.ts';
import { count, statusWord } from '../parts/wording.ts';
import { ANIMALS, petStatuses, routeHref } from '../route.ts';

interface FiguresProps {
  /** Undefined while it is not known. */
  readonly inventory: Inventory | undefined;
  /** Which animals these are, after the number: `in “Birds”`. */
  readonly of: string;
  /** Undefined for all categories. */
  readonly category: bigint | undefined;
}

/** How many animals there are by status, and in all. Each number leads to the animals that it counts. */
export function Figures({ inventory, of, category }: FiguresProps): JSX.Element {
  if (!inventory) return <span class="figures" />;
  const { available, pending, sold } = inventory;
  const figure = (value: bigint, word: string, status: PetStatus | undefined) => (
    <a
      key={word}
      class={`n ${status === undefined ? 'sum' : ''} ${value === 0n ? 'zero' : ''}`}
      href={routeHref({ ...ANIMALS, status, category })}
      aria-label={`${count(value)} ${word} ${of}`}
    >
      {count(value)}
      <span class="word">{` ${word}`}</span>
    </a>
  );
  return (
    <span class="figures">
      {petStatuses.map((status) => figure(inventory[status], statusWord(status).toLowerCase(), status))}
      {figure(available + pending + sold, 'animals', undefined)}
    </span>
  );
}
