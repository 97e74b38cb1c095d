import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Key } from '../../../../client/index.ts';
import { LoadFailed, Skeleton } from '../parts/list-card.tsx';
import { Unseen } from '../parts/unseen.tsx';
import { load, may, shop } from '../session.ts';
import { KeyRow } from './key-row.tsx';
import { isOver } from './key-words.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { OverKeys } from './over-keys.tsx';
import { SecretCard } from './secret-card.tsx';

/** Who has a key, what it allows, and new ones for others. */
export function KeysView(): JSX.Element {
  const { keyList } = shop();
  // A key that is revoked meanwhile stays where it is, so that no row moves.
  const wasOver = useRef(new Map<string, boolean>());
  const keys = keyList.items.value ?? [];
  for (const key of keys) if (!wasOver.current.has(key.id)) wasOver.current.set(key.id, isOver(key));
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Keys
        </h1>
        <Unseen list={keyList} nouns={['key', 'keys']} />
      </div>
      <SecretCard />
      <div class={may('keys:write') ? 'columns' : ''}>
        <div>
          <section
            class={`card list ${keyList.loading.value ? 'stale' : ''}`}
            aria-label="Keys"
            aria-busy={!keyList.ids.value || keyList.loading.value}
          >
            <Content keys={keys.filter(({ id }) => !wasOver.current.get(id))} />
          </section>
          <OverKeys keys={keys.filter(({ id }) => wasOver.current.get(id))} />
        </div>
        {may('keys:write') ? <NewKeyForm /> : null}
      </div>
    </>
  );
}

function Content({ keys }: { readonly keys: readonly Key[] }): JSX.Element {
  const { keyList, api } = shop();
  const failure = api.connection.failure.value;
  if (!keyList.ids.value) return failure ? <LoadFailed failure={failure} /> : <Skeleton />;
  const isPart = keyList.next.value !== undefined;
  return (
    <>
      {keys.length > 0 ? (
        <ul class="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      ) : null}
      {keys.length === 0 && !isPart ? (
        <p class="list-end">The store has no keys. Keys from API_KEYS are not listed.</p>
      ) : null}
      {isPart ? (
        <div class="list-end">
          <button type="button" class="button small" onClick={() => void load((shop) => shop.keyList.more())}>
            {keyList.loadingMore.value ? 'Loading…' : 'Show more'}
          </button>
        </div>
      ) : null}
    </>
  );
}
