import type { ComponentChildren, JSX } from 'preact';
import { reportTrouble, trouble } from '../data/connection.ts';
import type { Item, ShownList } from '../data/list.ts';
import { refreshNow } from '../data/refresh.ts';
import { count, troubleText } from './wording.ts';

const SKELETON_ROWS = 8;

interface ListCardProps<T extends Item> {
  readonly list: ShownList<T>;
  /** What one and several items are called. */
  readonly nouns: readonly [one: string, many: string];
  /** How many there are in all, where that is known. */
  readonly total: bigint | undefined;
  readonly bar: JSX.Element;
  readonly rows: (items: readonly T[]) => ComponentChildren;
  readonly empty: JSX.Element;
  readonly label: string;
  /** After the count at the end of the list. */
  readonly end?: JSX.Element | undefined;
}

/** A list in each of its states: loading, failed, empty, filled. A row has the same height in all of them. */
export function ListCard<T extends Item>(props: ListCardProps<T>): JSX.Element {
  const { list, bar, label } = props;
  return (
    <section
      class={`card list ${list.loading.value ? 'stale' : ''}`}
      aria-label={label}
      aria-busy={!list.items.value || list.loading.value}
    >
      {bar}
      <Content {...props} />
    </section>
  );
}

function Content<T extends Item>({ list, rows, empty, nouns, total, end }: ListCardProps<T>): JSX.Element {
  const items = list.items.value;
  if (!items) return trouble.value ? <LoadFailed /> : <Skeleton />;
  if (items.length === 0 && !list.loading.value)
    return list.next.value === undefined ? empty : <NothingSoFar list={list} />;
  return (
    <>
      {rows(items)}
      <ListEnd list={list} nouns={nouns} total={total} end={end} />
    </>
  );
}

/** Nothing was found where the search has looked so far. */
function NothingSoFar<T extends Item>({ list }: Pick<ListCardProps<T>, 'list'>): JSX.Element {
  return (
    <div class="empty">
      <h2>Nothing found so far</h2>
      <p>The newest were searched first. There are more.</p>
      <button type="button" class="button" onClick={() => list.more().catch(reportTrouble)}>
        {list.loadingMore.value ? 'Searching…' : 'Search further'}
      </button>
    </div>
  );
}

function ListEnd<T extends Item>({
  list,
  nouns,
  total,
  end,
}: Pick<ListCardProps<T>, 'list' | 'nouns' | 'total' | 'end'>): JSX.Element {
  const shown = BigInt(list.items.value?.length ?? 0);
  const noun = shown === 1n ? nouns[0] : nouns[1];
  const more = () => list.more().catch(reportTrouble);
  const isPart = list.next.value !== undefined;
  return (
    <div class="list-end">
      <span>
        {isPart && total !== undefined && total > shown
          ? `${count(shown)} of ${count(total)}`
          : `${count(shown)} ${noun}`}
      </span>
      {isPart ? (
        <button type="button" class="button small" onClick={more}>
          {list.loadingMore.value ? 'Loading…' : 'Show more'}
        </button>
      ) : null}
      {end}
    </div>
  );
}

function Skeleton(): JSX.Element {
  return (
    <>
      <ul class="rows">
        {Array.from({ length: SKELETON_ROWS }, (_, index) => (
          <li class="row skeleton-row" key={index} aria-hidden="true">
            <span class="skeleton round" />
            <span class="skeleton" />
          </li>
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        Loading…
      </p>
    </>
  );
}

function LoadFailed(): JSX.Element {
  return (
    <div class="empty">
      <h2>{troubleText[trouble.value?.kind ?? 'failed']}</h2>
      <p>The list appears here as soon as it can be loaded.</p>
      <button type="button" class="button" onClick={refreshNow}>
        Try again
      </button>
    </div>
  );
}
