import { useSignal } from '@preact/signals';
import { type Element, h } from '../shared/element.ts';
import { CopyButton } from './copy-button.ts';

/** The same call in two languages, ready to copy. */
export function SnippetsView({
  curl,
  javascript,
  id,
}: {
  readonly curl: string;
  readonly javascript: string;
  readonly id: string;
}): Element {
  const chosen = useSignal<'curl' | 'fetch'>('curl');
  const text = chosen.value === 'curl' ? curl : javascript;
  const option = (name: 'curl' | 'fetch') =>
    h(
      'button',
      {
        type: 'button',
        class: 'segment',
        'aria-pressed': chosen.value === name,
        onClick: () => (chosen.value = name),
      },
      name,
    );
  return h(
    'div',
    { class: 'card snippet' },
    h(
      'div',
      { class: 'snippet-head' },
      h(
        'div',
        { class: 'segments', role: 'group', 'aria-label': 'Language' },
        option('curl'),
        option('fetch'),
      ),
      h(CopyButton, { text, label: `${chosen.value} snippet of ${id}` }),
    ),
    h('pre', { class: 'code', tabIndex: 0, 'aria-label': `${id} as ${chosen.value}` }, text),
  );
}
