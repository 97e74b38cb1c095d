/** The source text of numbers, which TypeScript's library does not declare yet. Older browsers lack it. */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
  rawJSON?(text: string): unknown;
}
const json = JSON as unknown as ExactJson;

/** Parses JSON such that `print` writes every number as it was, also beyond 2^53. */
export function parse(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    const isRounded =
      typeof value === 'number' && context?.source !== undefined && `${value}` !== context.source;
    return isRounded && json.rawJSON ? json.rawJSON(context.source ?? '') : value;
  });
}

export const print = (value: unknown): string => JSON.stringify(value, null, 2);

const LINE = 72;

/** A short value on one line, as in a command; a long one indented. */
export function printShort(value: unknown): string {
  const line = print(value).replaceAll(/\n\s*/g, ' ');
  return line.length <= LINE ? line : print(value);
}

/** A value in running text: a string as it is, anything else as JSON. */
export const printed = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** JSON in lines, with every digit of its numbers. What is not JSON stays as it is, and everything does where numbers would be rounded. */
export function indent(text: string): string {
  try {
    return json.rawJSON ? print(parse(text)) : text;
  } catch {
    return text;
  }
}
