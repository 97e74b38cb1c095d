import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Key, KeyScope } from '../../../../client/index.ts';
import type { Result } from '../data/act.ts';
import { isEqual } from '../data/cache.ts';
import { dayAndMonth, dayOf, presentDay, yearOf } from '../data/calendar.ts';
import { tidyName } from '../data/forms.ts';
import {
  changeKey,
  type Ends,
  endOf,
  endOfOverlap,
  fieldsOf,
  type KeyFields,
  keyUpdate,
  makeKey,
  mayGive,
  NEW,
  problemsWithKey,
  revokeKey,
  rotateKey,
} from '../data/keys.ts';
import { quoted, short } from '../data/text.ts';
import { Question } from '../parts/dialog.tsx';
import { Choice, Field, NameField } from '../parts/form.tsx';
import { leaveDraft, Panel } from '../parts/panel.tsx';
import { ago, describeScopes, moment, roleOf, roles } from '../parts/words.ts';
import { isOffline, sessions, shop } from '../session.ts';

const NAME_MAX = 100;

const ENDS: readonly (readonly [Ends, string])[] = [
  ['year', 'In a year'],
  ['quarter', 'In 90 days'],
  ['date', 'On a date'],
  ['never', 'Never'],
];

/** What the panel is about: the id of a key, or null for a new one. */
export const openKey = signal<string | null | undefined>(undefined);

export const openKeyPanel = (id: string | null): void => leaveDraft(() => (openKey.value = id));

export function KeyPanel(): JSX.Element | null {
  const id = openKey.value;
  const key = typeof id === 'string' ? shop().cache.keys.get(id) : undefined;
  return id === null || key ? <KeyForm key={id} of={key} /> : null;
}

export const closeKeyPanel = (): void => {
  openKey.value = undefined;
};

/** Sends only what the person has changed. */
function KeyForm({ of: key }: { readonly of: Key | undefined }): JSX.Element {
  const { api, running } = shop();
  // As it was when the panel was opened: others may change it meanwhile.
  const before = useRef(key ? fieldsOf(key) : emptyFields()).current;
  const fields = useSignal<KeyFields>(before);
  const problems = useSignal<ReturnType<typeof problemsWithKey>>({});
  const asked = useSignal<'Rotate' | 'Revoke' | undefined>(undefined);
  const isRunning = running.at(`key-${key?.id ?? NEW}`);
  const { name, ends, day } = fields.value;
  const edit = (change: Partial<KeyFields>) => {
    fields.value = { ...fields.peek(), ...change };
    problems.value = {};
  };
  const update = () => keyUpdate(fields.peek(), before, presentDay());
  const closeAfter = async (result: Promise<Result | undefined>) => {
    // Another key may be in the panel by then.
    if ((await result)?.isDone && openKey.peek() === (key?.id ?? null)) closeKeyPanel();
  };
  const submit = () => {
    if (isOffline() || isRunning !== undefined) return;
    problems.value = problemsWithKey(fields.peek(), before, presentDay());
    if (Object.keys(problems.peek()).length > 0) return;
    if (!key) {
      const { scopes } = fields.peek();
      const expiresAt = endOf(fields.peek(), presentDay()) ?? undefined;
      void closeAfter(makeKey(shop(), { name: tidyName(name), scopes, expiresAt }));
    } else if (Object.keys(update()).length > 0) void closeAfter(changeKey(shop(), key, update()));
    else closeKeyPanel();
  };
  const more = (label: 'Rotate' | 'Revoke') => (
    <button
      type="button"
      class="button plain"
      aria-disabled={isOffline()}
      onClick={() => {
        if (!isOffline() && isRunning === undefined) leaveDraft(() => (asked.value = label));
      }}
    >
      {label}
    </button>
  );
  const title = key ? `Edit ${quoted(before.name)}` : 'New key';
  return (
    <>
      <Panel
        label={title}
        onClose={closeKeyPanel}
        hasDraft={() => !isEqual(fields.peek(), before)}
        onSubmit={submit}
        foot={
          <>
            <button type="submit" class="button main" aria-disabled={isOffline() || isRunning !== undefined}>
              {isRunning ?? (key ? 'Save' : 'Make the key')}
            </button>
            {key ? (
              <span class="more">
                {key.replacedBy === undefined ? more('Rotate') : null}
                {more('Revoke')}
              </span>
            ) : null}
          </>
        }
      >
        <h2>{title}</h2>
        <NameField
          value={name}
          problem={problems.value.name}
          maxLength={NAME_MAX}
          onValue={(value) => edit({ name: value })}
        />
        <fieldset class="field">
          <legend>Role</legend>
          <Roles
            before={before.scopes}
            chosen={fields.value.scopes}
            onChoose={(scopes) => edit({ scopes })}
          />
          {key?.id === api.key.id ? (
            <small>It is the key of this device: what you take away is gone here at once.</small>
          ) : null}
        </fieldset>
        <div class={ends === 'date' ? 'beside' : ''}>
          <div class="field">
            <label for="key-ends">Ends</label>
            <select
              id="key-ends"
              class="input"
              value={ends}
              onChange={({ currentTarget }) => edit({ ends: currentTarget.value as Ends })}
            >
              {ENDS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          {ends === 'date' ? (
            <Field
              label="Date"
              problem={problems.value.day}
              input={{
                type: 'date',
                min: presentDay(),
                value: day,
                onInput: ({ currentTarget }) => edit({ day: currentTarget.value }),
              }}
            />
          ) : null}
        </div>
        {key ? <p class="quiet">{history(key)}</p> : null}
      </Panel>
      {key && asked.value ? (
        <Question
          title={`${asked.value} ${quoted(key.name)}?`}
          label={asked.value}
          isRed={asked.value === 'Revoke'}
          onSubmit={() => {
            const isRotation = asked.peek() === 'Rotate';
            asked.value = undefined;
            void closeAfter(
              isRotation ? rotateKey(shop(), key, (next) => sessions.goOnWith(next)) : revokeKey(shop(), key),
            );
          }}
          onClose={() => (asked.value = undefined)}
        >
          <p>{asked.value === 'Rotate' ? whatRotationDoes(key) : whatRevocationDoes(key)}</p>
        </Question>
      ) : null}
    </>
  );
}

const offeredRoles = () => roles.filter(({ scopes }) => mayGive(shop().api.key.scopes, scopes));

const emptyFields = (): KeyFields => ({
  ...{ name: '', ends: 'year', day: '' },
  scopes: offeredRoles()[0]?.scopes ?? shop().api.key.scopes,
});

interface RolesProps extends Record<'before' | 'chosen', readonly KeyScope[]> {
  readonly onChoose: (scopes: readonly KeyScope[]) => void;
}

/** The roles that the key of this session may give. A key with other scopes keeps them unless a role is chosen. */
const Roles = ({ before, chosen, onChoose }: RolesProps): JSX.Element => (
  <>
    {roleOf(before) ? null : (
      <Choice
        name="role"
        label="As it is"
        about={describeScopes(before)}
        isChosen={chosen === before}
        onChoose={() => onChoose(before)}
      />
    )}
    {offeredRoles().map((role) => (
      <Choice
        key={role.name}
        name="role"
        label={role.name}
        about={role.about}
        isChosen={roleOf(chosen) === role}
        onChoose={() => onChoose(role.scopes)}
      />
    ))}
  </>
);

/** The name of a key, or its id if it is not in the list: those of API_KEYS are not. */
export function nameOfKey(id: string): string {
  const { api, cache } = shop();
  const name = id === api.key.id ? api.key.name : cache.keys.get(id)?.name;
  return name === undefined ? `key ${id}` : short(name);
}

/** `Made by office on 2 September 2026, last used 8 minutes ago` */
function history({ id, createdAt, createdBy, lastUsedAt }: Key): string {
  const made = dayOf(new Date(createdAt));
  const by = createdBy === undefined ? '' : ` by ${nameOfKey(createdBy)}`;
  const used = id === shop().api.key.id ? 'just now' : lastUsedAt && ago(lastUsedAt);
  return `Made${by} on ${dayAndMonth(made)} ${yearOf(made)}, ${used ? `last used ${used}` : 'not used yet'}`;
}

function whatRotationDoes(key: Key): string {
  const isOwn = key.id === shop().api.key.id;
  const end = `The old one stops working ${moment(endOfOverlap(key))}`;
  return isOwn
    ? `You get a new key, and this device goes on with it. ${end}; until then put the new one into every other device that uses it.`
    : `You get a new key. ${end}; until then put the new one into every device that uses it.`;
}

function whatRevocationDoes({ id, lastUsedAt, replacedBy }: Key): string {
  if (id === shop().api.key.id)
    return 'It is the key of this device: you will have to sign in with another one. This cannot be undone.';
  const still = replacedBy === undefined ? '' : ' The key that has replaced it works on.';
  const used = lastUsedAt === undefined ? 'It was never used.' : `It was last used ${ago(lastUsedAt)}.`;
  return `Whatever uses this key stops working at once. ${used}${still} This cannot be undone.`;
}
