import type { ComponentChildren, JSX } from 'preact';
import type { Failure } from '../data/connection.ts';
import type { ShownList } from '../data/list/list.ts';
import { load, refreshNow, shop } from '../session.ts';
import { count, counted, failureText } from './wording.ts';

const SKELETON_ROWS = 8;

interface ListCardProps {
  readonly list: ShownList;
  /** What one and several items are called; undefined where the head of the card counts them. */
  readonly nouns?: readonly [one: string, many: string] | undefined;
  /** How many there are in all, where that is known. */
  readonly total?: bigint | undefined;
  readonly bar: ComponentChildren;
  /** Draws the rows. Called when there are some. */
  readonly rows: () => ComponentChildren;
  readonly empty: JSX.Element;
  readonly label: string;
  /** Further classes of the card. */
  readonly class?: string | undefined;
  /** After the count at the end of the list. */
  readonly end?: ComponentChildren;
}

/** A list in each of its states: loading, failed, empty, filled. A row has the same height in all of them. */
export function ListCard(props: ListCardProps): JSX.Element {
  const { list, bar, label } = props;
  const isLoading = list.loading.value;
  const hasFailed = shop().api.connection.failure.value !== undefined;
  return (
    <section
      class={`card list ${isLoading ? 'stale' : ''} ${props.class ?? ''}`}
      aria-label={label}
      aria-busy={isLoading || (!list.ids.value && !hasFailed)}
    >
      {bar}
      <Content {...props} />
    </section>
  );
}

function Content({ list, rows, empty, nouns, total, end }: ListCardProps): JSX.Element {
  const ids = list.ids.value;
  if (!ids) {
    const failure = shop().api.connection.failure.value;
    return failure ? <LoadFailed failure={failure} /> : <Skeleton />;
  }
  if (ids.length === 0 && !list.loading.value)
    return list.next.value === undefined ? empty : <NothingSoFar list={list} />;
  return (
    <>
      {rows()}
      <ListEnd list={list} nouns={nouns} total={total} end={end} />
    </>
  );
}

/** Nothing was found where the search has looked so far. */
function NothingSoFar({ list }: Pick<ListCardProps, 'list'>): JSX.Element {
  return (
    <div class="empty">
      <h2>Nothing found so far</h2>
      <p>The newest were searched first. There are more.</p>
      <button type="button" class="button" onClick={() => void load(() => list.more())}>
        {list.loadingMore.value ? 'Searching…' : 'Search further'}
      </button>
    </div>
  );
}

function ListEnd({
  list,
  nouns,
  total,
  end,
}: Pick<ListCardProps, 'list' | 'nouns' | 'total' | 'end'>): JSX.Element {
  const shown = BigInt(list.ids.value?.length ?? 0);
  const isPart = list.next.value !== undefined;
  return (
    <div class="list-end">
      {nouns ? (
        <span>
          {isPart && total !== undefined && total > shown
            ? `${count(shown)} of ${count(total)}`
            : counted(shown, ...nouns)}
        </span>
      ) : null}
      {isPart ? (
        <button type="button" class="button small" onClick={() => void load(() => list.more())}>
          {list.loadingMore.value ? 'Loading…' : 'Show more'}
        </button>
      ) : null}
      {end}
    </div>
  );
}

export function Skeleton(): JSX.Element {
  return (
    <>
      <ul class="rows" aria-hidden="true">
        {Array.from({ length: SKELETON_ROWS }, (_, index) => (
          <li class="row skeleton-row" key={index}>
            <span class="tag" />
            <span class="skeleton" />
            <span class="row-meta">
              <span class="skeleton" />
              <span class="skeleton" />
            </span>
          </li>
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        Loading…
      </p>
    </>
  );
}

export function LoadFailed({ failure: { kind, requestId } }: { readonly failure: Failure }): JSX.Element {
  return (
    <div class="empty">
      <h2>The list could not be loaded</h2>
      <p>
        {failureText[kind]}{' '}
        {kind === 'failed' && requestId !== undefined ? (
          <>
            If it stays, give this number to the person who runs it: <span class="id">{requestId}</span>
          </>
        ) : (
          'The list appears here as soon as it can be loaded.'
        )}
      </p>
      <div class="actions">
        <button type="button" class="button main" onClick={() => void refreshNow()}>
          Try again
        </button>
      </div>
    </div>
  );
}
