import type { JSX } from 'preact';
import { type Language, linesOf, type Token, tokensOf } from './tokens.ts';

interface CodeProps {
  readonly text: string;
  readonly language: Language;
  /** What it is, for those who do not see where it is. */
  readonly label: string;
  /** Lines above it that are not part of it, such as headers. */
  readonly above?: string;
}

/** Code in colours. It never scrolls: a long line goes on below, indented by two more characters. */
export function Code({ text, language, label, above }: CodeProps): JSX.Element {
  return (
    <pre class="code" role="group" aria-label={label}>
      {above ? <span class="line above">{above}</span> : null}
      {linesOf(tokensOf(text, language)).map(({ indent, tokens }) => (
        <span class="line" style={{ '--indent': `${indent}ch` }}>
          {tokens.map(colored)}
        </span>
      ))}
    </pre>
  );
}

/** A line may break after a comma: between two values rather than within a number. */
const colored = ({ kind, text }: Token) => [
  kind === 'plain' ? text : <span class={`code-${kind}`}>{text}</span>,
  text === ',' ? <wbr /> : null,
];
