import type { JSX } from 'preact';
import { type Entry, type Header, jsonOf, type OpenApi, type Response, resolve } from './document.ts';
import { errorsOf } from './guides/errors.ts';
import { type Links, richText } from './rich-text.tsx';
import { fieldRows, schemaView, withExample } from './schema-view.tsx';

/** What the guides tell about every operation. */
export interface Common {
  readonly codes: ReadonlySet<string>;
  readonly headers: ReadonlySet<string>;
}

interface AnswersProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly links: Links;
  readonly common: Common;
}

/** What the operation answers with. What every operation may answer is in the guide to errors. */
export function Answers({ document, entry, links, common }: AnswersProps): JSX.Element {
  const { responses = {} } = entry.operation;
  const errors = errorsOf(document, responses).filter(({ code }) => !common.codes.has(code));
  const others = Object.entries(responses).filter(([status]) => !/^[45]/.test(status));
  return (
    <div class="part">
      <h3>Responses</h3>
      <dl class="answers">
        {others.map(([status, response]) => (
          <div key={status}>
            <dt>
              <b>{status}</b>
            </dt>
            <dd>
              <Success response={resolve(document, response)} {...{ document, links, common }} />
            </dd>
          </div>
        ))}
        {errors.map(({ code, status, meaning }) => (
          <div key={code}>
            <dt>
              <b>{status}</b> <code>{code}</code>
            </dt>
            <dd>{richText(meaning, links)}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {'Every operation can also return '}
        <a href="#errors">the common errors</a>.
      </p>
    </div>
  );
}

interface SuccessProps extends Omit<AnswersProps, 'entry'> {
  readonly response: Response;
}

function Success({ response, document, links, common }: SuccessProps): JSX.Element {
  const media = jsonOf(response.content);
  const headers = Object.entries(response.headers ?? {})
    .filter(([name]) => !common.headers.has(name))
    .map(([name, header]) => {
      const resolved = resolve<Header>(document, header);
      const { schema = {} } = resolved;
      return { name, required: false, schema, marked: {}, description: withExample(resolved) };
    });
  return (
    <>
      {richText(response.description, links)}
      {media?.schema ? schemaView(media.schema, document, links) : null}
      {headers.length > 0 ? (
        <>
          <h4>Headers</h4>
          {fieldRows(headers, document, links)}
        </>
      ) : null}
    </>
  );
}
