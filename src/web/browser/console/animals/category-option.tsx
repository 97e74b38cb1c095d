import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { wantedCategory } from '../data/forms/fields.ts';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';
import type { CategoryChoice } from './category-choices.ts';

interface CategoryOptionProps {
  readonly choice: CategoryChoice;
  readonly isMarked: boolean;
}

/** What an option says: a category with its tag, or that it is a new one. */
export const CategoryOption = ({ choice, isMarked }: CategoryOptionProps): JSX.Element =>
  choice.kind === 'known' ? (
    <>
      <Tag categoryId={choice.id} />
      <bdi class="cut">{choice.name}</bdi>
    </>
  ) : (
    <>
      {icon('plus')}
      <span class="cut">{`New category ${short(choice.name)}`}</span>
      {isMarked ? <kbd>Enter</kbd> : null}
    </>
  );

/** The tag of the category that a text means. A new one has no shape and colour yet: they come from its id. */
export function MeantTag({ text }: { readonly text: string }): JSX.Element {
  const wanted = wantedCategory(shop().categories, text);
  if ('id' in wanted) return <Tag categoryId={wanted.id} />;
  const letters = wanted.kind === 'new' ? [...wanted.name].slice(0, 2).join('') : '';
  return (
    <span class="tag shape-0 stone" aria-hidden="true">
      {letters}
    </span>
  );
}
