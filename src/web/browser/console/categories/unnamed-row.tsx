import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Inventory } from '../../../../client/index.ts';
import { RowState } from '../parts/row-state.tsx';
import { Tag } from '../parts/tag.tsx';
import { ANIMALS, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';
import { Figures } from './figures.tsx';
import { MergeForm } from './merge-form.tsx';
import { RenameForm } from './rename-form.tsx';
import { RowButtons } from './row-buttons.tsx';
import type { RowEdit } from './use-row-edit.ts';

interface UnnamedRowProps {
  readonly id: bigint;
  /** Undefined while it is not known. */
  readonly inventory: Inventory | undefined;
  readonly row: RowEdit;
}

/** A category that only has a number, such as one of imported animals: it can get a name, or its animals another category. */
export function UnnamedRow({ id, inventory, row }: UnnamedRowProps): JSX.Element {
  const { edit, link, close } = row;
  const isRemoved = useSignal(false);
  const place = `category-${id}` as const;
  const outcome = shop().outcomes.at(place);
  const called = `category ${id}`;
  if (edit.value === 'rename') return <RenameForm id={id} name={undefined} done={close} keep={close} />;
  // Asked for before the animals are counted, the form opens when they are.
  if (edit.value === 'merge' && inventory)
    return (
      <MergeForm
        category={{ id, name: `Category ${id}`, inventory }}
        done={close}
        keep={close}
        merged={() => (isRemoved.value = true)}
      />
    );
  return (
    <li class={`row is-category ${isRemoved.value ? 'is-over' : ''}`}>
      <Tag categoryId={id} />
      <a ref={link} class="row-name" href={routeHref({ ...ANIMALS, category: id })}>
        <span class="name is-unnamed">No name yet</span>
        <span class="id faint">{`id ${id}`}</span>
      </a>
      {isRemoved.value || (outcome && outcome.kind !== 'done') ? (
        <RowState place={place} status={isRemoved.value ? 'removed' : undefined} />
      ) : (
        <Figures inventory={inventory} of={`in ${called}`} category={id} />
      )}
      <RowButtons
        place={place}
        called={called}
        rename={
          isRemoved.value
            ? undefined
            : {
                label: 'Give a name',
                description: `Give a name to ${called}`,
                run: () => (edit.value = 'rename'),
              }
        }
        remove={isRemoved.value || !may('store:read') ? undefined : () => (edit.value = 'merge')}
      />
    </li>
  );
}
