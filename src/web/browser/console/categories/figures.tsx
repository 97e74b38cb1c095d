import type { JSX } from 'preact';
import type { Inventory, PetStatus } from '../../../../client/index.ts';
import { animalsIn } from '../data/actions/categories.ts';
import { isPhone } from '../parts/screen.ts';
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
  // Too small to press: the row opens the category.
  if (isPhone.value && inventory) return <PlainFigures inventory={inventory} />;
  return (
    <span class="figures">
      {inventory &&
        figuresOf(inventory).map(({ value, word, status }) => (
          <a
            key={word}
            class={classesOf(value, status)}
            href={routeHref({ ...ANIMALS, status, category })}
            aria-label={`${count(value)} ${word} ${of}`}
          >
            {count(value)}
            <span class="word">{` ${word}`}</span>
          </a>
        ))}
    </span>
  );
}

/** The same numbers, of animals that no address leads to. */
export function PlainFigures({ inventory }: { readonly inventory: Inventory }): JSX.Element {
  return (
    <span class="figures">
      {figuresOf(inventory).map(({ value, word, status }) => (
        <span key={word} class={classesOf(value, status)}>
          {count(value)}
          <span class="word">{` ${word}`}</span>
        </span>
      ))}
    </span>
  );
}

interface Figure {
  readonly value: bigint;
  readonly word: string;
  /** Undefined for the sum. */
  readonly status: PetStatus | undefined;
}

const figuresOf = (inventory: Inventory): readonly Figure[] => [
  ...petStatuses.map((status) => ({
    value: inventory[status],
    word: statusWord(status).toLowerCase(),
    status,
  })),
  { value: animalsIn({ inventory }), word: 'animals', status: undefined },
];

const classesOf = (value: bigint, status: PetStatus | undefined): string =>
  `n ${status === undefined ? 'sum' : ''} ${value === 0n ? 'zero' : ''}`;
