import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Category } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { animalsIn, removeCategory } from '../data/actions/categories.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { RowState } from '../parts/row-state.tsx';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { ANIMALS, routeHref } from '../route.ts';
import { load, shop } from '../session.ts';
import { Figures } from './figures.tsx';
import { MergeForm } from './merge-form.tsx';
import { RenameForm } from './rename-form.tsx';
import { RowButtons } from './row-buttons.tsx';
import type { RowEdit } from './use-row-edit.ts';

interface CategoryRowProps {
  /** As it is, or as it was before it was removed. */
  readonly category: Category;
  readonly isRemoved: boolean;
  readonly row: RowEdit;
}

/** A category with a name: how many animals it has, and each of them a click away. */
export function CategoryRow({ category, isRemoved, row }: CategoryRowProps): JSX.Element {
  const { id, name, inventory } = category;
  const { edit, link, close } = row;
  const place = `category-${id}` as const;
  const outcome = shop().outcomes.at(place);
  // A failure that was shown in a form which the person has closed is not shown again.
  const dismissed = useSignal<typeof outcome>(undefined);
  const keep = () => {
    dismissed.value = shop().outcomes.at(place);
    close();
  };
  const remove = async (event: MouseEvent) => {
    if (animalsIn(category) > 0n) edit.value = 'merge';
    else {
      keepFocus(event);
      if (await removeCategory(shop(), category)) return;
      // Animals may have been added to it since it was counted.
      await load(({ categories }) => categories.load());
      if (animalsIn(shop().cache.categories.peek(id) ?? category) > 0n) edit.value = 'merge';
    }
  };
  if (edit.value === 'rename') return <RenameForm id={id} name={name} done={close} keep={keep} />;
  if (edit.value === 'merge') return <MergeForm category={category} done={close} keep={keep} />;
  const isShown = outcome && outcome !== dismissed.value && (outcome.kind !== 'done' || outcome.offer);
  return (
    <li class={`row is-category ${isRemoved ? 'is-over' : ''}`}>
      <Tag categoryId={id} />
      <a ref={link} class="row-name" href={routeHref({ ...ANIMALS, category: id })}>
        <bdi class="name" title={name}>
          {name}
        </bdi>
        <span class="id faint">{`id ${id}`}</span>
      </a>
      {isRemoved || isShown ? (
        <RowState place={place} status={isRemoved ? 'removed' : undefined}>
          {outcome?.kind === 'done' && !isRemoved ? (
            <span class="status">
              {icon('edited')}
              Renamed
            </span>
          ) : null}
        </RowState>
      ) : (
        <Figures inventory={inventory} of={`in ${short(name)}`} category={id} />
      )}
      <RowButtons
        place={place}
        called={short(name)}
        rename={
          isRemoved
            ? undefined
            : { label: 'Rename', description: `Rename ${short(name)}`, run: () => (edit.value = 'rename') }
        }
        remove={isRemoved ? undefined : remove}
      />
    </li>
  );
}
