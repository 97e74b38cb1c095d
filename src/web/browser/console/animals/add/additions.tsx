import type { JSX } from 'preact';
import { icon } from '../../../shared/icons.tsx';
import { animalHref } from '../../address.ts';
import type { Addition } from '../../data/forms/addition.ts';
import { counted, short } from '../../parts/wording.ts';
import { isOffline, shop } from '../../session.ts';
import { MeantTag } from '../category-option.tsx';

/** What was entered since the form was opened, the latest first, and what has become of it. */
export function Additions(): JSX.Element | null {
  const additions = shop().addForm.additions.value;
  if (additions.length === 0) return null;
  return (
    <div>
      <p class="quiet">
        {additions.some(({ state }) => state === 'added') ? 'Added just now' : 'Entered just now'}
      </p>
      <ul class="added">
        {additions.map((addition, index) => (
          <Entry key={addition.id} addition={addition} before={additions[index + 1]} />
        ))}
      </ul>
    </div>
  );
}

interface EntryProps {
  readonly addition: Addition;
  /** The entry that was made before this one. */
  readonly before: Addition | undefined;
}

function Entry({ addition, before }: EntryProps): JSX.Element {
  const { names, animals, state, fields, problem } = addition;
  const [only] = animals.length === 1 ? animals : [];
  // Where one failure has stopped several entries, it is told once.
  const isTold = problem !== undefined && before?.problem === problem;
  return (
    <li class={state}>
      <MeantTag text={fields.category} />
      {only && state === 'added' ? (
        <a class="cut" href={animalHref(only.id)} onClick={() => shop().addForm.close()}>
          <bdi>{only.name}</bdi>
        </a>
      ) : (
        <b class="cut">
          <bdi>{names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`}</bdi>
        </b>
      )}
      {only ? <span class="id">{`${only.id}`}</span> : null}
      {names.length > 1 ? <span class="quiet">{counted(names.length, 'animal', 'animals')}</span> : null}
      <Progress addition={addition} />
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {isTold ? 'Not added.' : problem}
        </p>
      )}
    </li>
  );
}

const RUNNING = { waiting: 'Waiting', adding: 'Adding…', undoing: 'Undoing…' } as const;

/** What is under way, or what can be done about the entry. */
function Progress({ addition }: { readonly addition: Addition }): JSX.Element {
  const { addForm } = shop();
  const { state, names } = addition;
  const what = names.length === 1 ? short(names[0] ?? '') : counted(names.length, 'animal', 'animals');
  if (state === 'waiting' || state === 'adding' || state === 'undoing')
    return (
      <span class="end status">
        {state === 'waiting' ? null : icon('spin')}
        {RUNNING[state]}
      </span>
    );
  if (state === 'failed')
    return (
      <span class="end">
        {addition.isUncertain ? null : link('Change', `Change ${what}`, () => change(addition))}
        {link('Try again', `Try again: add ${what}`, () => addForm.retry(addition))}
      </span>
    );
  return (
    <span class="end">
      {state === 'undone' ? <span class="quiet">Removed</span> : null}
      {state === 'undone'
        ? link('Restore', `Restore ${what}`, () => void addForm.undo(addition))
        : link('Undo', `Undo adding ${what}`, () => void addForm.undo(addition))}
    </span>
  );
}

/** The keyboard goes on in the form, where the entry is now. */
function change(addition: Addition): void {
  shop().addForm.change(addition);
  document.getElementById('add-name')?.focus();
}

const link = (label: string, description: string, run: () => void): JSX.Element => (
  <button
    key={label}
    type="button"
    class="link"
    aria-label={description}
    aria-disabled={isOffline()}
    onClick={() => !isOffline() && run()}
  >
    {label}
  </button>
);
