import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CodeCard } from '../code/code-card.tsx';
import { Code } from '../code/code-view.tsx';
import { type Call, curlSnippet, fetchSnippet } from './snippets.ts';

interface SnippetsProps {
  readonly call: Call;
  /** Options of curl that show what the text is about, such as the headers of the answer. */
  readonly flags?: readonly string[];
  readonly id: string;
}

/** The same call in two languages, ready to copy. */
export function SnippetsView({ call, flags = [], id }: SnippetsProps): JSX.Element {
  const chosen = useSignal(0);
  const isCurl = chosen.value === 0;
  const name = isCurl ? 'curl' : 'fetch';
  const text = isCurl ? curlSnippet(call, flags) : fetchSnippet(call);
  return (
    <CodeCard
      title="Call"
      copies={{ text, label: `${name} snippet of ${id}` }}
      choice={{
        label: 'Language',
        // A stream has no end that the snippet in JavaScript could wait for.
        names: flags.includes('-N') ? ['curl'] : ['curl', 'fetch'],
        chosen: chosen.value,
        choose: (index) => (chosen.value = index),
      }}
    >
      <Code text={text} language={isCurl ? 'shell' : 'script'} label={`${id} as ${name}`} />
    </CodeCard>
  );
}
