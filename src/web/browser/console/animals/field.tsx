import type { ComponentChildren, JSX } from 'preact';

interface Common {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly problem: string | undefined;
  readonly hint?: ComponentChildren;
  readonly children: (common: Common) => JSX.Element;
}

/** A control with its label, its problem and a hint. */
export function Field({ id, label, problem, hint, children }: FieldProps): JSX.Element {
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': `${id}-problem ${id}-hint`,
      })}
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
