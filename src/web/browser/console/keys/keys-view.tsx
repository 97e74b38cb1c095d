import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { reportTrouble } from '../data/connection.ts';
import { keys, loadMoreKeys, nextKeys } from '../data/keys.ts';
import { may } from '../data/permissions.ts';
import { KeyRow } from './key-row.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretCard } from './secret-card.tsx';

/** Who has a key, what it opens, and new ones for others. */
export function KeysView(): JSX.Element {
  const asked = useSignal<string | undefined>(undefined);
  const known = keys.value ?? [];
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Keys
        </h1>
      </div>
      <SecretCard />
      <div class={may('keys:write') ? 'columns' : ''}>
        <section class="card list" aria-label="Keys" aria-busy={keys.value === undefined}>
          <ul class="rows">
            {known.map((key) => (
              <KeyRow key={key.id} of={key} revoke={() => (asked.value = key.id)} />
            ))}
          </ul>
          <p class="list-end">
            {known.length > 0 || !keys.value
              ? null
              : 'No key is stored. Those of the configuration are not listed.'}
            {nextKeys.value === undefined ? null : (
              <button type="button" class="button small" onClick={() => loadMoreKeys().catch(reportTrouble)}>
                Show more
              </button>
            )}
          </p>
        </section>
        {may('keys:write') ? <NewKeyForm /> : null}
      </div>
      <RevokeDialog of={known.find(({ id }) => id === asked.value)} close={() => (asked.value = undefined)} />
    </>
  );
}
