import type { JSX } from 'preact';
import type { PetStatus } from '../../../../client/index.ts';
import { short, statusWord } from '../parts/wording.ts';
import { petStatuses } from '../route.ts';
import { Field } from './field.tsx';
import { type Draft, type Problems, tidyName } from './values.ts';

export interface FieldsProps {
  /** Distinguishes the fields of the forms. */
  readonly form: 'add' | 'edit';
  readonly draft: Draft;
  readonly problems: Problems;
  readonly edit: (change: Partial<Draft>) => void;
}

const typed = (event: Event) => (event.target as HTMLInputElement).value;

export function NameField({ form, draft, problems, edit }: FieldsProps): JSX.Element {
  const stored = tidyName(draft.name);
  const hint = draft.name.trim() === stored ? undefined : `Stored with single spaces: ${short(stored)}`;
  return (
    <Field id={`${form}-name`} label="Name" problem={problems.name} hint={hint}>
      {(common) => (
        <input
          {...common}
          data-first
          class="input"
          dir="auto"
          autocomplete="off"
          value={draft.name}
          onInput={(event: Event) => edit({ name: typed(event) })}
        />
      )}
    </Field>
  );
}

export function StatusField({ form, draft, problems, edit }: FieldsProps): JSX.Element {
  return (
    <Field id={`${form}-status`} label="Status" problem={problems.status} hint={undefined}>
      {(common) => (
        <select
          {...common}
          class="input"
          value={draft.status}
          onChange={(event: Event) => edit({ status: typed(event) as PetStatus })}
        >
          {petStatuses.map((one) => (
            <option value={one} key={one}>
              {statusWord(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
