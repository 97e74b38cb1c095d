import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import { dismiss, type Notice, notices } from './notices.ts';

/** Screen readers announce good news when they pause, and problems at once. */
export function Notices(): Element {
  const region = (kind: Notice['kind'], role: 'status' | 'alert') =>
    h(
      'div',
      { role },
      notices.value
        .filter((notice) => notice.kind === kind)
        .map((notice) => h(NoticeCard, { key: notice.id, notice })),
    );
  return h('div', { class: 'notices' }, region('done', 'status'), region('problem', 'alert'));
}

function NoticeCard({ notice }: { readonly notice: Notice }): Element {
  const { id, kind, text, link } = notice;
  return h(
    'div',
    { class: `notice ${kind}` },
    icon(kind === 'done' ? 'check' : 'warning'),
    h(
      'p',
      null,
      text,
      link ? [' ', h('a', { href: link.href, onClick: () => dismiss(id) }, link.text)] : null,
    ),
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss', onClick: () => dismiss(id) },
      icon('close'),
    ),
  );
}
