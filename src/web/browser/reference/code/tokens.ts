/** What a piece of code is, for its colour. `plain` has none. */
type Kind = 'plain' | 'key' | 'string' | 'number' | 'word';

export interface Token {
  readonly kind: Kind;
  readonly text: string;
}

/** `script` is JavaScript, JSON, and lines such as those of headers and server-sent events. */
export type Language = 'shell' | 'script';

const WORDS: ReadonlySet<string> = new Set(['curl', 'const', 'await', 'true', 'false', 'null']);
const NUMBER = /^-?\d[\d.eE+-]*$/;
const BLANK = /\s/;

/**
 * Splits code into tokens that make up exactly the same text. Looks at each character a fixed number of times: the body of an
 * answer can be long.
 */
export function tokensOf(text: string, language: Language): Token[] {
  const tokens: Token[] = [];
  const isPart = language === 'shell' ? /[^\s'"]/ : /[\w$+.-]/;
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at);
    const isQuote = first === '"' || first === "'";
    const end = isQuote ? stringEnd(text, at, language) : runEnd(text, at, (one) => isPart.test(one));
    const found = text.slice(at, Math.max(end, at + 1));
    at += found.length;
    tokens.push({ kind: kindOf(found, isQuote, language, text, at), text: found });
  }
  return tokens;
}

function kindOf(found: string, isQuote: boolean, language: Language, text: string, end: number): Kind {
  if (language === 'script' && (isQuote || /^\w/.test(found)) && text.charAt(end) === ':') return 'key';
  if (isQuote) return 'string';
  if (language === 'shell' && found.startsWith('-')) return 'key';
  if (NUMBER.test(found)) return 'number';
  return WORDS.has(found) ? 'word' : 'plain';
}

/** After the closing quote, or at the end of the text. A shell knows no escapes between single quotes. */
function stringEnd(text: string, start: number, language: Language): number {
  const quote = text.charAt(start);
  const hasEscapes = language === 'script' || quote === '"';
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === quote) return at + 1;
    if (hasEscapes && text.charAt(at) === '\\') at++;
  }
  return text.length;
}

function runEnd(text: string, start: number, holds: (one: string) => boolean): number {
  let at = start;
  while (at < text.length && holds(text.charAt(at))) at++;
  return at;
}

export interface Line {
  /** How many spaces it begins with. */
  readonly indent: number;
  readonly tokens: readonly Token[];
}

/** The tokens by line. A token that goes over several lines, such as a body in a command, is split. */
export function linesOf(tokens: readonly Token[]): Line[] {
  const lines: Token[][] = [[]];
  for (const { kind, text } of tokens)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    }
  return lines.map((line) => {
    const text = line.map((token) => token.text).join('');
    return { indent: runEnd(text, 0, (one) => BLANK.test(one)), tokens: line };
  });
}
