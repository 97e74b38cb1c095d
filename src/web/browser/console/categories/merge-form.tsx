import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Category } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { animalsIn, mergeCategory } from '../data/actions/categories.ts';
import { Tag } from '../parts/tag.tsx';
import { counted } from '../parts/wording.ts';
import { shop } from '../session.ts';

interface MergeFormProps {
  readonly category: Category;
  readonly done: () => void;
  readonly keep: () => void;
  /** Called when every animal was moved. */
  readonly merged?: (() => void) | undefined;
}

/** A category that has animals can be removed once they belong to another one: both at once, in its row. */
export function MergeForm({ category, done, keep, merged }: MergeFormProps): JSX.Element {
  const { id, name } = category;
  const into = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const select = useRef<HTMLSelectElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => (select.current ?? cancel.current)?.focus(), []);
  const others = shop().categories.all.value.filter((other) => other.id !== id);
  const submit = async (event: Event) => {
    event.preventDefault();
    const target = others.find((other) => `${other.id}` === into.peek());
    problem.value = target ? undefined : 'Choose a category.';
    if (!target) return select.current?.focus();
    done();
    if (await mergeCategory(shop(), category, target)) merged?.();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') keep();
  };
  return (
    <li class="row is-category in-place">
      <Tag categoryId={id} />
      <form class="merge" onSubmit={submit} onKeyDown={pressed} noValidate>
        <p id={`merge-${id}`}>
          <b>
            <bdi>{name}</bdi>
          </b>
          {' still has animals. '}
          {others.length > 0
            ? `Move its ${counted(animalsIn(category), 'animal', 'animals')} to`
            : 'There is no other category to move them to.'}
        </p>
        {others.length > 0 ? (
          <>
            <label class="select">
              <span class="visually-hidden">Move to</span>
              <select
                ref={select}
                class="input"
                aria-describedby={`merge-${id}`}
                value={into.value}
                onChange={(event: Event) => (into.value = (event.target as HTMLSelectElement).value)}
              >
                <option value="">Choose a category…</option>
                {others.map((other) => (
                  <option key={`${other.id}`} value={`${other.id}`}>
                    {other.name}
                  </option>
                ))}
              </select>
              {icon('down')}
            </label>
            <button type="submit" class="button main">
              Move and remove
            </button>
          </>
        ) : null}
        <button ref={cancel} type="button" class="button plain" onClick={keep}>
          Keep
        </button>
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </form>
    </li>
  );
}
