import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CodeCard, statusTitle } from '../code/code-card.tsx';
import { Code } from '../code/code-view.tsx';
import {
  type Entry,
  type Header,
  jsonOf,
  mediaExamples,
  type OpenApi,
  type Response,
  resolve,
} from '../document.ts';
import { print } from '../exact-json.ts';

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
    .map(([status, response]) => ({
      status,
      ...answerExample(document, resolve<Response>(document, response)),
    }))
    .slice(0, MOST);
  const chosen = useSignal(0);
  const shown = examples[chosen.value];
  if (!shown) return null;
  const label = `Example answer of ${id}`;
  return (
    <CodeCard
      title={statusTitle(shown.status)}
      copies={{ text: shown.text, label: `example answer of ${id}` }}
      choice={{
        label: 'Status',
        names: examples.map(({ status }) => status),
        chosen: chosen.value,
        choose: (index) => (chosen.value = index),
      }}
    >
      {shown.text === '' ? (
        <p class="no-body">No body</p>
      ) : (
        <Code text={shown.text} language="script" label={label} above={shown.above} />
      )}
    </CodeCard>
  );
}

/** The body of an answer, and the link to the next page where there can be one. Without a body the text is empty. */
function answerExample(document: OpenApi, { content, headers }: Response): { text: string; above: string } {
  const media = jsonOf(content);
  const [example] = media ? mediaExamples(media) : [];
  const link = headers?.Link && resolve<Header>(document, headers.Link).example;
  const leads = typeof link === 'string' && link.includes('rel="next"');
  return { text: example ? print(example[1]) : '', above: leads ? `Link: ${link}` : '' };
}
