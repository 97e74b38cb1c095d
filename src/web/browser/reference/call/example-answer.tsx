import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { type Entry, jsonOf, mediaExamples, type OpenApi, type Response, resolve } from '../document.ts';
import { print } from '../exact-json.ts';
import { CopyButton } from './copy-button.tsx';

const MOST = 4;
/** Errors that say something about the operation, and not about the connection or the client. */
const TELLING = /^(?:2|404|409|412|422)/;

/** What the service answers, beside the call: a success, and the errors that belong to the operation. */
export function ExampleAnswer({
  document,
  entry,
}: {
  readonly document: OpenApi;
  readonly entry: Entry;
}): JSX.Element | null {
  const { operationId: id, responses = {} } = entry.operation;
  const examples = Object.entries(responses)
    .filter(([status]) => TELLING.test(status))
    .flatMap(([status, response]) => {
      const media = jsonOf(resolve<Response>(document, response).content);
      const [example] = media ? mediaExamples(media) : [];
      return example ? [{ status, text: print(example[1]) }] : [];
    })
    .slice(0, MOST);
  const chosen = useSignal(0);
  const shown = examples[chosen.value];
  if (!shown) return null;
  return (
    <div class="code-card">
      <div class="code-head">
        <span>Response</span>
        <div class="segments" role="group" aria-label="Status">
          {examples.map(({ status }, index) => (
            <button
              key={status}
              type="button"
              class="segment"
              aria-pressed={index === chosen.value}
              onClick={() => (chosen.value = index)}
            >
              {status}
            </button>
          ))}
        </div>
        <CopyButton text={shown.text} label={`example answer of ${id}`} />
      </div>
      <pre tabIndex={0} aria-label={`Example answer of ${id}`}>
        {shown.text}
      </pre>
    </div>
  );
}
