import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../../../shared/icons.tsx';
import { MOST_AT_ONCE } from '../../data/forms/add-form.ts';
import { litterNames } from '../../data/forms/addition.ts';
import { tidyName } from '../../data/forms/fields.ts';
import { shop } from '../../session.ts';
import { NameInput, tidyHint } from '../animal-fields.tsx';

/** Names that are shown before the last one. */
const FIRST = 3;

interface LitterProps {
  /** The other fields. */
  readonly children: ComponentChildren;
}

/**
 * The name and how many there are of it, with what they will be called. The other fields are below, but the keyboard reaches them right after
 * the name: most animals are added one by one.
 */
export function Litter({ children }: LitterProps): JSX.Element {
  const { addForm } = shop();
  const { name: nameProblem, count: countProblem } = addForm.problems.value;
  return (
    <div class="litter">
      <label class="label" for="add-name">
        Name
      </label>
      <NameInput
        id="add-name"
        fields={addForm.fields.value}
        edit={(change) => addForm.edit(change)}
        aria-invalid={nameProblem !== undefined}
        aria-describedby="add-litter-problem add-preview"
      />
      {children}
      <label class="label count-label" for="add-count">
        How many?
      </label>
      <Stepper />
      <p id="add-litter-problem" class="problem" role="alert">
        {nameProblem ?? countProblem}
      </p>
      <Preview />
    </div>
  );
}

function Stepper(): JSX.Element {
  const { count, problems } = shop().addForm;
  const known = Number.isInteger(count.value) ? count.value : undefined;
  const step = (by: 1 | -1, label: string, shape: 'plus' | 'minus') => {
    const to = Math.min(Math.max((known ?? 1) + by, 1), MOST_AT_ONCE);
    return (
      <button
        type="button"
        class="button plain square"
        aria-label={label}
        aria-disabled={to === known}
        onClick={() => (count.value = to)}
      >
        {icon(shape)}
      </button>
    );
  };
  return (
    <span class="number">
      {step(-1, 'One less', 'minus')}
      <input
        id="add-count"
        class="input"
        type="number"
        inputmode="numeric"
        min={1}
        max={MOST_AT_ONCE}
        aria-invalid={problems.value.count !== undefined}
        aria-describedby="add-litter-problem add-preview"
        value={known ?? ''}
        onInput={(event: Event) => {
          count.value = (event.target as HTMLInputElement).valueAsNumber;
          problems.value = {};
        }}
      />
      {step(1, 'One more', 'plus')}
    </span>
  );
}

/** The names of what is in the form; none while it has no name. */
export function enteredNames(): readonly string[] {
  const { fields, count } = shop().addForm;
  const name = tidyName(fields.value.name);
  const isCount = Number.isInteger(count.value) && count.value >= 1 && count.value <= MOST_AT_ONCE;
  return name === '' ? [] : litterNames(name, isCount ? count.value : 1);
}

/** What the animals of a litter will be called. Its line is always there, so that nothing moves. */
function Preview(): JSX.Element {
  const names = enteredNames();
  return (
    <div id="add-preview" class="preview">
      {names.length > 1 ? chips(names) : tidyHint(shop().addForm.fields.value.name)}
    </div>
  );
}

function chips(names: readonly string[]): JSX.Element {
  const isLong = names.length > FIRST + 1;
  const chip = (name: string) => (
    <b key={name}>
      <bdi>{name}</bdi>
    </b>
  );
  return (
    <>
      {names.slice(0, isLong ? FIRST : undefined).map(chip)}
      {isLong ? '…' : null}
      {isLong ? names.slice(-1).map(chip) : null}
    </>
  );
}
