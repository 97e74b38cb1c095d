import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Inventory } from '../../../../client/index.ts';
import { counted } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { CategoryRow } from './category-row.tsx';
import { OtherCategories, Total } from './total-rows.tsx';
import { UnnamedRow } from './unnamed-row.tsx';
import { useInventories } from './use-inventories.ts';
import { useRowEdit } from './use-row-edit.ts';

/** Each of them is counted by a request of its own. */
const MOST_UNNAMED = 10;

/** The categories in the order of the first look: a new name moves no row, and what is removed stays until the person leaves. */
export function CategoryRows({ added }: { readonly added: readonly bigint[] }): JSX.Element {
  const { categories } = shop();
  const shown = useRef<readonly bigint[]>([]);
  const named = categories.all.value;
  const unnamed = categories.unnamed.value;
  const namedIds = new Set(named.map(({ id }) => id));
  shown.current = [...new Set([...shown.current, ...namedIds, ...unnamed.slice(0, MOST_UNNAMED)])];
  const ids = [...new Set([...added, ...shown.current])];
  const withoutName = ids.filter((id) => !namedIds.has(id));
  const inventories = useInventories(withoutName);
  if (ids.length === 0) return <p class="list-end">No category has a name yet.</p>;
  const more = unnamed.filter((id) => !ids.includes(id)).length;
  return (
    <>
      <ul class="rows">
        {ids.map((id) => (
          <OneCategory key={`${id}`} id={id} inventory={inventories.get(id)} />
        ))}
        <OtherCategories
          listed={[
            ...named.map(({ inventory }) => inventory),
            ...withoutName.map((id) => inventories.get(id)),
          ]}
        />
        <Total />
      </ul>
      {more > 0 ? (
        <p class="list-end">{`${counted(more, 'more category has', 'more categories have')} no name yet.`}</p>
      ) : null}
    </>
  );
}

interface OneCategoryProps {
  readonly id: bigint;
  /** Of one without a name. */
  readonly inventory: Inventory | undefined;
}

function OneCategory({ id, inventory }: OneCategoryProps): JSX.Element {
  const category = shop().cache.categories.get(id);
  const row = useRowEdit();
  // A removed category is still shown by its name.
  const named = useRef(category);
  named.current = category ?? named.current;
  return named.current ? (
    <CategoryRow category={named.current} isRemoved={category === undefined} row={row} />
  ) : (
    <UnnamedRow id={id} inventory={inventory} row={row} />
  );
}
