import type { JSX } from 'preact';
import type { ShownList } from '../data/list/list.ts';
import { load } from '../session.ts';
import { count } from './wording.ts';

interface UnseenProps {
  readonly list: Pick<ShownList, 'unseen' | 'showUnseen'>;
  readonly nouns: readonly [one: string, many: string];
}

/** What is new waits here, in the head of the page, so that it never moves a row. */
export function Unseen({ list, nouns: [one, many] }: UnseenProps): JSX.Element {
  const number = list.unseen.value;
  const show = () => {
    scrollTo(0, 0);
    void load(() => list.showUnseen());
  };
  return (
    <div role="status" class="unseen-region">
      {number > 0 ? (
        <button type="button" class="unseen" onClick={show}>
          <span>
            {`${count(number)} new`}
            <span class="long">{` ${number === 1 ? one : many}`}</span>
            {' – show'}
          </span>
        </button>
      ) : null}
    </div>
  );
}
