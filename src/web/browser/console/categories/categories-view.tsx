import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { LoadFailed, Skeleton } from '../parts/list-card.tsx';
import { statusMark } from '../parts/status.tsx';
import { counted } from '../parts/wording.ts';
import { may, shop } from '../session.ts';
import { AddCategory } from './add-category.tsx';
import { CategoryRow } from './category-row.tsx';
import { Figures } from './figures.tsx';
import { UnnamedRow } from './unnamed-row.tsx';
import { useRowEdit } from './use-row-edit.ts';

/** Each of them is counted by a request of its own. */
const MOST_UNNAMED = 10;

/** Naming, counting, renaming and removing categories. */
export function CategoriesView(): JSX.Element {
  const added = useSignal<readonly bigint[]>([]);
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Categories
        </h1>
      </div>
      <section class="card list" aria-label="Categories" aria-busy={!shop().categories.isLoaded.value}>
        {may('pets:write') ? <AddCategory added={(id) => (added.value = [id, ...added.peek()])} /> : null}
        <div class="numbers-head" aria-hidden="true">
          <span />
          <span>Category</span>
          {statusMark('available')}
          {statusMark('pending')}
          {statusMark('sold')}
          <span>All</span>
          <span />
        </div>
        <Content added={added.value} />
      </section>
    </>
  );
}

/** The categories in the order of the first look: a new name moves no row, and what is removed stays until the person leaves. */
function Content({ added }: { readonly added: readonly bigint[] }): JSX.Element {
  const { categories, api } = shop();
  const shown = useRef<readonly bigint[]>([]);
  const unnamed = categories.unnamed.value;
  const failure = api.connection.failure.value;
  if (!categories.isLoaded.value) return failure ? <LoadFailed failure={failure} /> : <Skeleton />;
  const known = [...categories.all.value.map(({ id }) => id), ...unnamed.slice(0, MOST_UNNAMED)];
  shown.current = [...new Set([...shown.current, ...known])];
  const ids = [...new Set([...added, ...shown.current])];
  if (ids.length === 0) return <p class="list-end">No category has a name yet.</p>;
  const more = unnamed.filter((id) => !ids.includes(id)).length;
  return (
    <>
      <ul class="rows">
        {ids.map((id) => (
          <OneCategory key={`${id}`} id={id} />
        ))}
        <Total />
      </ul>
      {more > 0 ? (
        <p class="list-end">{`${counted(more, 'more category has', 'more categories have')} no name yet.`}</p>
      ) : null}
    </>
  );
}

function OneCategory({ id }: { readonly id: bigint }): JSX.Element {
  const category = shop().picture.categories.get(id);
  const row = useRowEdit();
  // A removed category is still shown by its name.
  const named = useRef(category);
  named.current = category ?? named.current;
  return named.current ? (
    <CategoryRow category={named.current} isRemoved={category === undefined} row={row} />
  ) : (
    <UnnamedRow id={id} row={row} />
  );
}

/** All animals, also those of categories that are not listed. */
function Total(): JSX.Element | null {
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
