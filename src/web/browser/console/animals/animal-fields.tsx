import type { JSX } from 'preact';
import { type Fields, type Problems, tidyName, wantedCategory } from '../data/forms/fields.ts';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { CategoryCombo } from './category-combo.tsx';
import { Field } from './field.tsx';

export interface FieldsProps {
  /** Distinguishes the fields of the forms. */
  readonly form: 'add' | 'edit';
  readonly fields: Fields;
  readonly problems: Problems;
  readonly edit: (change: Partial<Fields>) => void;
}

interface NameInputProps extends Pick<FieldsProps, 'fields' | 'edit'> {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

/** The text field for a name, without its label. */
export const NameInput = ({ fields, edit, ...common }: NameInputProps): JSX.Element => (
  <input
    {...common}
    data-first
    class="input"
    dir="auto"
    autocomplete="off"
    value={fields.name}
    onInput={(event: Event) => edit({ name: (event.target as HTMLInputElement).value })}
  />
);

/** What is stored where it differs from what is typed. */
export function tidyHint(name: string): string | undefined {
  const stored = tidyName(name);
  return name.trim() === stored ? undefined : `Stored with single spaces: ${short(stored)}`;
}

export function NameField({ form, fields, problems, edit }: FieldsProps): JSX.Element {
  return (
    <Field id={`${form}-name`} label="Name" problem={problems.name} hint={tidyHint(fields.name)}>
      {(common) => <NameInput {...common} fields={fields} edit={edit} />}
    </Field>
  );
}

/** The field for a category: an existing or a new name, or the number of a category without a name. */
export function CategoryField({ form, fields, problems, edit }: FieldsProps): JSX.Element {
  return (
    <Field
      id={`${form}-category`}
      label="Category"
      problem={problems.category}
      hint={categoryHint(fields.category)}
    >
      {(common) => (
        <CategoryCombo {...common} text={fields.category} onText={(category) => edit({ category })} />
      )}
    </Field>
  );
}

function categoryHint(text: string): string | undefined {
  const wanted = wantedCategory(shop().categories, text);
  if (wanted.kind === 'new') return `${short(wanted.name)} becomes a new category.`;
  return wanted.kind === 'unnamed' ? 'A category by its number, without a name.' : undefined;
}
