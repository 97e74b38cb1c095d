import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { wantedCategory } from '../data/forms.ts';
import { shop } from '../session.ts';

interface FieldProps {
  readonly label: string;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly input: InputHTMLAttributes<HTMLInputElement> & { 'data-first'?: boolean };
}

/** One field with its label, and below it what is wrong. */
export function Field({ label, problem, hint, input }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        autocomplete="off"
        dir="auto"
        {...input}
        id={id}
        class={`input ${input.class ?? ''}`}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
      />
      <small
        id={`${id}-about`}
        class={problem === undefined ? '' : 'problem'}
        role={problem === undefined ? undefined : 'alert'}
      >
        {problem ?? hint}
      </small>
    </div>
  );
}

interface NameFieldProps {
  readonly value: string;
  readonly problem?: string | undefined;
  readonly maxLength?: number;
  readonly onValue: (value: string) => void;
}

/** The name of something. It gets the focus. */
export const NameField = ({ value, problem, maxLength, onValue }: NameFieldProps): JSX.Element => (
  <Field
    label="Name"
    problem={problem}
    input={{
      'data-first': true,
      value,
      ...(maxLength && { maxLength }),
      onInput: ({ currentTarget }) => onValue(currentTarget.value),
    }}
  />
);

/** Focuses the first field that has to be fixed, one frame later, when it is marked. */
export function focusProblem(form: Element): void {
  requestAnimationFrame(() =>
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus({ preventScroll: true }),
  );
}

interface CategoryFieldProps {
  readonly value: string;
  readonly problem?: string | undefined;
  /** It gets the focus. */
  readonly isFirst?: true;
  readonly onValue: (value: string) => void;
}

/** The name of a category, with the suggestions of the browser. A name that no category has is a new one, and the field says so. */
export function CategoryField({ value, problem, isFirst, onValue }: CategoryFieldProps): JSX.Element {
  const { categories } = shop();
  const list = useId();
  const wanted = wantedCategory(categories, value);
  const hint = { new: 'New category', unnamed: 'Category without a name', known: '', invalid: '' }[
    wanted.kind
  ];
  return (
    <>
      <Field
        label="Category"
        problem={problem}
        hint={categories.isLoaded.value ? hint : ''}
        input={{
          value,
          list,
          ...(isFirst && { 'data-first': true }),
          onInput: ({ currentTarget }) => onValue(currentTarget.value),
        }}
      />
      <datalist id={list}>
        {categories.all.value.map(({ id, name }) => (
          <option key={`${id}`} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface ChoiceProps {
  /** All choices of one question share a name. */
  readonly name: string;
  readonly label: string;
  readonly about?: string | undefined;
  readonly isChosen: boolean;
  readonly isFirst?: boolean;
  readonly onChoose: () => void;
}

export const Choice = ({
  name,
  label,
  about,
  isChosen,
  isFirst = false,
  onChoose,
}: ChoiceProps): JSX.Element => (
  <label class="choice">
    <input
      type="radio"
      name={name}
      checked={isChosen}
      data-first={isFirst || undefined}
      onChange={onChoose}
    />
    <span>
      {label}
      {about === undefined ? null : <small>{about}</small>}
    </span>
  </label>
);
