import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Key } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { dayOf } from '../data/calendar.ts';
import { isOver, mayGive } from '../data/keys.ts';
import { count, short } from '../data/text.ts';
import { ListCard, PageHead, Unseen } from '../parts/list.tsx';
import { Row } from '../parts/row.tsx';
import { ago, dateOf, describeScopes, endsSoon, moment, shortMoment } from '../parts/words.ts';
import { KEYS, routeHref } from '../route.ts';
import { isOffline, may, shop } from '../session.ts';
import { closeKeyPanel, nameOfKey, openKey, openKeyPanel } from './key-panel.tsx';

export function KeysView(): JSX.Element {
  const { keyList } = shop();
  const ids = keyList.ids.value;
  useEffect(() => closeKeyPanel, []);
  // A key that is revoked meanwhile stays where it is until the list is loaded again, so that no row moves.
  const over = useMemo(
    () => new Set((keyList.items.peek() ?? []).filter((key) => isOver(key, new Date())).map(({ id }) => id)),
    [ids],
  );
  const keys = keyList.items.value ?? [];
  return (
    <>
      <PageHead title="Keys">
        <Unseen lists={[keyList]} nouns={['key', 'keys']} />
        {may('keys:write') ? (
          <button
            type="button"
            class="button main"
            aria-disabled={isOffline()}
            onClick={() => {
              if (!isOffline()) openKeyPanel(null);
            }}
          >
            {icon('plus')}
            New key
          </button>
        ) : null}
      </PageHead>
      <ListCard
        list={keyList}
        label="Keys"
        rows={() => (
          <ul class="rows keys">
            <Row
              class="head"
              name={<span>Name</span>}
              cells={
                <>
                  <span>Role</span>
                  <span>Ends</span>
                  <span>Last used</span>
                </>
              }
              actions=""
            />
            {keys
              .filter(({ id }) => !over.has(id))
              .map((key) => (
                <KeyRow key={key.id} of={key} />
              ))}
          </ul>
        )}
        empty={<p class="end-of-list">The store has no keys. Keys from API_KEYS are not listed.</p>}
        foot={<EndedKeys keys={keys.filter(({ id }) => over.has(id))} />}
      />
    </>
  );
}

/** The whole row opens the panel, where the key of this session may change the key. */
function KeyRow({ of: key }: { readonly of: Key }): JSX.Element {
  const isOpen = useComputed(() => openKey.value === key.id).value;
  const open = () => openKeyPanel(key.id);
  const { api, running } = shop();
  const isOwn = key.id === api.key.id;
  const isRunning = running.at(`key-${key.id}`);
  const mayEdit = may('keys:write') && mayGive(api.key.scopes, key.scopes) && !isOver(key);
  const name = (
    <>
      <b>
        <bdi>{key.name}</bdi>
      </b>
      {isOwn ? <small>this key</small> : null}
    </>
  );
  return (
    <Row
      class={`${isOpen ? 'open' : ''} ${isOver(key) ? 'sold-row' : ''}`}
      name={
        mayEdit ? (
          <a
            class="name"
            href={routeHref(KEYS)}
            onClick={(event) => {
              event.preventDefault();
              open();
            }}
          >
            {name}
          </a>
        ) : (
          <span class="name">{name}</span>
        )
      }
      cells={
        <>
          <span class="note">{describeScopes(key.scopes)}</span>
          <End of={key} />
          <span class="quiet">
            <span class="phone">last used</span>
            {isOwn ? 'just now' : lastUsed(key)}
          </span>
        </>
      }
      actions={
        isRunning !== undefined ? (
          <span class="state running">{isRunning}</span>
        ) : mayEdit ? (
          <button type="button" class="button" aria-label={`Edit ${short(key.name)}`} onClick={open}>
            Edit
          </button>
        ) : (
          ''
        )
      }
    />
  );
}

function End({ of: key }: { readonly of: Key }): JSX.Element {
  const { expiresAt, replacedBy, revokedAt } = key;
  if (isOver(key)) return <span class="quiet">{revokedAt === undefined ? 'ended' : 'revoked'}</span>;
  if (expiresAt !== undefined && replacedBy !== undefined)
    return <span class="mark">{`until ${moment(expiresAt).replace(/^on /, '')}`}</span>;
  const soon = endsSoon(expiresAt)?.replace(/^on /, '');
  return (
    <span class={soon === undefined ? '' : 'mark'}>
      <span class="phone">ends</span>
      {soon ?? (expiresAt === undefined ? 'never' : dateOf(dayOf(new Date(expiresAt))))}
    </span>
  );
}

/** `8 minutes ago`, `13:10`, `yesterday`, `29 Oct` */
function lastUsed({ lastUsedAt }: Key): string {
  if (lastUsedAt === undefined) return 'never';
  const text = ago(lastUsedAt);
  return / at /.test(text) ? (shortMoment(lastUsedAt).split(', ')[0] ?? '') : text;
}

/** Keys that no longer work, with who revoked them and when they were last used. */
function EndedKeys({ keys }: { readonly keys: readonly Key[] }): JSX.Element | null {
  if (keys.length === 0) return null;
  return (
    <details class="ended">
      <summary>
        {icon('down')}
        {'Revoked and ended keys '}
        <span class="quiet">{count(keys.length)}</span>
      </summary>
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            <b>
              <bdi>{key.name}</bdi>
            </b>
            <span class="quiet">{` ${endOfKey(key)}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** `revoked by office yesterday at 17:48, last used 29 Oct` */
function endOfKey(key: Key): string {
  const { revokedAt, revokedBy, expiresAt = '' } = key;
  const by = revokedBy === undefined ? '' : ` by ${nameOfKey(revokedBy)}`;
  const end = revokedAt === undefined ? `ended ${moment(expiresAt)}` : `revoked${by} ${moment(revokedAt)}`;
  return `${end}, ${key.lastUsedAt === undefined ? 'never used' : `last used ${lastUsed(key)}`}`;
}
