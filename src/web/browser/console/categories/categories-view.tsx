import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { LoadFailed, Skeleton } from '../parts/list-card.tsx';
import { statusMark } from '../parts/status.tsx';
import { may, shop } from '../session.ts';
import { AddCategory } from './add-category.tsx';
import { CategoryRows } from './category-rows.tsx';

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

function Content({ added }: { readonly added: readonly bigint[] }): JSX.Element {
  const { categories, api } = shop();
  const failure = api.connection.failure.value;
  if (categories.isLoaded.value) return <CategoryRows added={added} />;
  return failure ? <LoadFailed failure={failure} /> : <Skeleton />;
}
