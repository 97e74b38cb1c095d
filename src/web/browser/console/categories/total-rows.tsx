import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Inventory } from '../../../../client/index.ts';
import { petStatuses } from '../route.ts';
import { shop } from '../session.ts';
import { Figures, PlainFigures } from './figures.tsx';

/** The rows and the total are counted by requests of their own: a difference that soon goes away again is not shown. */
const LASTING_MS = 1000;

interface OtherCategoriesProps {
  /** What each row counts; undefined where that is not known yet. */
  readonly listed: readonly (Inventory | undefined)[];
}

/** The animals of categories without a name that no row counts, so that the rows add up to the total. */
export function OtherCategories({ listed }: OtherCategoriesProps): JSX.Element | null {
  const rest = restOf(shop().counts.all.value, listed);
  const lasting = useSignal<Inventory | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => (lasting.value = rest), LASTING_MS);
    return () => clearTimeout(timer);
  }, [rest?.available, rest?.pending, rest?.sold]);
  if (!lasting.value) return null;
  return (
    <li class="row is-category others">
      <span />
      <span class="name is-unnamed">Other categories without a name</span>
      <PlainFigures inventory={lasting.value} />
      <span />
    </li>
  );
}

/** Undefined if nothing is left, or if it is not known. */
function restOf(
  all: Inventory | undefined,
  listed: readonly (Inventory | undefined)[],
): Inventory | undefined {
  if (!all) return undefined;
  const rest = { ...all };
  for (const inventory of listed) {
    if (!inventory) return undefined;
    for (const status of petStatuses) rest[status] -= inventory[status];
  }
  const left = petStatuses.map((status) => rest[status]);
  return left.some((value) => value > 0n) && left.every((value) => value >= 0n) ? rest : undefined;
}

/** All animals, including those of categories that are not listed. */
export function Total(): JSX.Element | null {
  const all = shop().counts.all.value;
  if (!all) return null;
  return (
    <li class="row is-category total">
      <span />
      <span class="name">All categories</span>
      <Figures inventory={all} of="in all categories" category={undefined} />
      <span />
    </li>
  );
}
