import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Key } from '../../../../client/index.ts';
import { keys } from '../data/keys.ts';
import { may } from '../data/permissions.ts';
import { ListCard } from '../parts/list-card.tsx';
import { News } from '../parts/news.tsx';
import { KeyRow } from './key-row.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretCard } from './secret-card.tsx';

const NOUNS = ['key', 'keys'] as const;

/** Who has a key, what it opens, and new ones for others. */
export function KeysView(): JSX.Element {
  const asked = useSignal<string | undefined>(undefined);
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Keys
        </h1>
        <News list={keys} nouns={NOUNS} />
      </div>
      <SecretCard />
      <div class={may('keys:write') ? 'columns' : ''}>
        <ListCard<Key>
          list={keys}
          label="Keys"
          nouns={NOUNS}
          total={undefined}
          bar={<div class="share" />}
          rows={(known) => (
            <ul class="rows">
              {known.map((key) => (
                <KeyRow key={key.id} of={key} revoke={() => (asked.value = key.id)} />
              ))}
            </ul>
          )}
          empty={<p class="list-end">No key is stored. Those of the configuration are not listed.</p>}
        />
        {may('keys:write') ? <NewKeyForm /> : null}
      </div>
      <RevokeDialog
        of={keys.items.value?.find(({ id }) => id === asked.value)}
        close={() => (asked.value = undefined)}
      />
    </>
  );
}
