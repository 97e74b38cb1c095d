import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { failureText } from '../data/api.ts';
import { fullDate, presentDay } from '../data/calendar.ts';
import { MOST_ROWS, type ShownList } from '../data/list.ts';
import { count } from '../data/text.ts';
import { focusTitle } from '../navigation.ts';
import { loadMore, refreshNow, shop } from '../session.ts';

const SKELETON_ROWS = 8;

interface ListCardProps {
  readonly list: ShownList;
  /** What it is, for screen readers and in messages: `Animals`. */
  readonly label: string;
  readonly bar?: ComponentChildren;
  /** Draws the rows. Called when there are some. */
  readonly rows: () => ComponentChildren;
  /** In place of the rows, when there are none. */
  readonly empty: ComponentChildren;
  /** The end of the list: how many there are. */
  readonly end?: ComponentChildren;
  /** Shown at the end, even of an empty list. */
  readonly foot?: ComponentChildren;
}

/** A list in each of its states: loading, failed, empty, filled. */
export function ListCard({ list, label, bar, foot, ...content }: ListCardProps): JSX.Element {
  const isLoading = list.loading.value;
  const hasFailed = shop().api.connection.failure.value !== undefined;
  return (
    <section
      class={`card ${isLoading ? 'stale' : ''}`}
      aria-label={label}
      aria-busy={isLoading || (!list.ids.value && !hasFailed)}
    >
      {bar}
      <Content list={list} label={label} {...content} />
      {foot}
    </section>
  );
}

function Content({ list, label, rows, empty, end }: Omit<ListCardProps, 'bar' | 'foot'>): JSX.Element {
  const ids = list.ids.value;
  if (!ids) {
    const failure = shop().api.connection.failure.value;
    return failure ? <LoadFailed what={label} status={failure.status} /> : <Skeleton />;
  }
  if (ids.length === 0 && list.next.value === undefined && !list.loading.value) return <>{empty}</>;
  return (
    <>
      {rows()}
      <End list={list}>{end}</End>
    </>
  );
}

/** How many rows there are, and the way to more of them. */
function End({
  list,
  children,
}: {
  readonly list: ShownList;
  readonly children: ComponentChildren;
}): JSX.Element | null {
  const hasMore = list.next.value !== undefined;
  const isFull = (list.ids.value?.length ?? 0) >= MOST_ROWS;
  if (!hasMore && !children) return null;
  return (
    <p class="end-of-list">
      {children}
      {hasMore && !isFull ? (
        <>
          {children ? ' – ' : null}
          <ShowMore list={list} />
        </>
      ) : null}
    </p>
  );
}

/** When the button disappears, the last row gets the focus. */
function ShowMore({ list }: { readonly list: ShownList }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current !== document.activeElement) return;
      const rows = current?.closest('.card')?.querySelectorAll<HTMLElement>('a.name');
      if (rows?.length) rows[rows.length - 1]?.focus({ preventScroll: true });
      else focusTitle();
    };
  }, []);
  return (
    <button ref={button} type="button" class="link" onClick={() => loadMore(() => list.more())}>
      {list.loadingMore.value ? 'Loading…' : list.ids.value?.length === 0 ? 'Search further' : 'Show more'}
    </button>
  );
}

interface DayRowsProps {
  /** The class of the list. */
  readonly of: string;
  readonly title: string;
  /** Shown beside the title. Empty texts are left out. */
  readonly facts: readonly string[];
  readonly heading?: 'h2' | 'h3';
  readonly children: ComponentChildren;
}

/** The rows of one day as one list, below its name. */
export const DayRows = ({ of, title, facts, heading: Heading = 'h3', children }: DayRowsProps) => (
  <>
    <Heading class={`day ${of}`}>
      {title} <span class="quiet">{facts.filter(Boolean).join(' · ')}</span>
    </Heading>
    <ul class={`rows ${of}`} aria-label={title}>
      {children}
    </ul>
  </>
);

export function Skeleton(): JSX.Element {
  return (
    <>
      <ul class="rows skeleton" aria-hidden="true">
        {Array.from({ length: SKELETON_ROWS }, (_, index) => (
          <li class="row" key={index}>
            <span class="tag" />
          </li>
        ))}
      </ul>
      <p class="only-heard" role="status">
        Loading…
      </p>
    </>
  );
}

export const LoadFailed = ({
  what,
  status,
}: {
  readonly what: string;
  readonly status: number;
}): JSX.Element => (
  <div class="empty">
    <h2>{`${what} could not be loaded`}</h2>
    <p>{`${failureText(status)} Nothing is lost.`}</p>
    <button type="button" class="button" onClick={() => void refreshNow()}>
      Try again
    </button>
  </div>
);

interface UnseenProps {
  readonly lists: readonly Pick<ShownList, 'unseen' | 'showUnseen'>[];
  readonly nouns: readonly [one: string, many: string];
}

/** Offers the new rows in the head of the page, so that they never move a row. */
export function Unseen({ lists, nouns: [one, many] }: UnseenProps): JSX.Element {
  const number = lists.reduce((sum, { unseen }) => sum + unseen.value, 0);
  const show = () => {
    scrollTo(0, 0);
    // The button is about to disappear.
    focusTitle();
    for (const list of lists) if (list.unseen.peek() > 0) loadMore(() => list.showUnseen());
  };
  return (
    <span role="status">
      {number > 0 ? (
        <button type="button" class="mark" onClick={show}>
          {`${count(number)} new`}
          <span class="desk">{` ${number === 1 ? one : many}`}</span>
          {' – show'}
        </button>
      ) : null}
    </span>
  );
}

/** The head of a page: its only title, the new rows, the main button. A link to a view moves the focus to the title. */
export const PageHead = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="page-head">
    <h1 id="view-title" tabIndex={-1}>
      {title}
    </h1>
    {children}
    <p class="print-only">{fullDate(presentDay())}</p>
  </div>
);
