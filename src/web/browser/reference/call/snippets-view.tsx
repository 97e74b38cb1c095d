import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

interface SnippetsProps {
  readonly curl: string;
  readonly javascript: string;
  readonly id: string;
}

/** The same call in two languages, ready to copy. */
export function SnippetsView({ curl, javascript, id }: SnippetsProps): JSX.Element {
  const chosen = useSignal<'curl' | 'fetch'>('curl');
  const text = chosen.value === 'curl' ? curl : javascript;
  const option = (name: 'curl' | 'fetch') => (
    <button
      type="button"
      class="segment"
      aria-pressed={chosen.value === name}
      onClick={() => (chosen.value = name)}
    >
      {name}
    </button>
  );
  return (
    <div class="code-card">
      <div class="code-head">
        <span>Call</span>
        <div class="segments" role="group" aria-label="Language">
          {option('curl')}
          {option('fetch')}
        </div>
        <CopyButton text={text} label={`${chosen.value} snippet of ${id}`} />
      </div>
      <pre tabIndex={0} aria-label={`${id} as ${chosen.value}`}>
        {text}
      </pre>
    </div>
  );
}
