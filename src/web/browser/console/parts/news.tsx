import type { JSX } from 'preact';
import { reportTrouble } from '../data/connection.ts';
import type { Item, ShownList } from '../data/list.ts';
import { counted } from './wording.ts';

interface NewsProps {
  readonly list: ShownList<Item>;
  readonly nouns: readonly [one: string, many: string];
}

/** What is new waits here, in the head of the page, so that it never moves a row. */
export function News({ list, nouns: [one, many] }: NewsProps): JSX.Element {
  const number = list.news.value;
  const show = () => {
    scrollTo(0, 0);
    list.showNews().catch(reportTrouble);
  };
  return (
    <div role="status" class="news-region">
      {number > 0 ? (
        <button type="button" class="news" onClick={show}>
          {`${counted(number, `new ${one}`, `new ${many}`)} – show`}
        </button>
      ) : null}
    </div>
  );
}
