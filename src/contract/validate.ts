import * as v from 'valibot';

type Entries = Readonly<Record<string, v.GenericSchema>>;

/** A schema of named fields: a plain object schema, or one with a title and description added by a pipe. */
export type Fields<Output = unknown> = v.GenericSchema<unknown, Output> & {
  readonly entries: Entries;
  readonly isQuery?: true;
  readonly atLeastOne?: true;
};

/** The schema of a query, whose unknown parameters `validate` checks for a misspelt known one. */
export function query<const E extends Entries>(entries: E) {
  return { ...v.object(entries), isQuery: true as const };
}

/** The schema of a body of optional fields, of which it must have one: `{}` is refused. */
export function atLeastOne<const E extends Entries>(entries: E) {
  return { ...v.object(entries), atLeastOne: true as const };
}

/** The accepted value, or why there is none. */
export type Validated<T> = { value: T; problems: [] } | { value?: undefined; problems: string[] };

/**
 * Checks `input` against `schema` and finds every problem at once, each a phrase that begins with its field. Fields the
 * schema does not name are dropped. A body that has only such fields is a problem: a misspelt one would otherwise be a change that
 * changes nothing. So is a query parameter that differs from a known one only by case or by a trailing `[]`: a filter that is silently
 * dropped returns the wrong animals.
 */
export function validate<T>(schema: Fields<T>, input: unknown): Validated<T> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { problems: ['the body must be a JSON object'] };
  }
  const result = v.safeParse(schema, input);
  const problems = result.success ? [] : result.issues.map(problemOf);
  if (schema.isQuery) problems.push(...misspelt(schema, input));
  else if (problems.length === 0) problems.push(...withoutFields(schema, input));
  return result.success && problems.length === 0 ? { value: result.output, problems: [] } : { problems };
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const missing = issue.type === 'object' && issue.input === undefined;
  return `${placeOf(issue)} ${missing ? 'is required' : issue.message}`;
}

/** Such as `pets[3].name`. */
function placeOf({ path }: v.BaseIssue<unknown>): string {
  const steps = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return steps.join('').slice(1);
}

/** For a sentence: `status, note or from`. */
export const either = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

/** How many unknown fields are named, and how many characters of each. */
const [NAMED_MAX, NAME_LENGTH_MAX] = [5, 40];

/** The problem of a body that has none of the fields, all of which are optional. */
function withoutFields({ entries, atLeastOne }: Fields, input: object): string[] {
  const sent = Object.keys(input);
  if (sent.some((name) => Object.hasOwn(entries, name))) return [];
  const possible = either(Object.keys(entries));
  if (sent.length === 0) return atLeastOne ? [`${possible} is required`] : [];
  const named = sent.slice(0, NAMED_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX).toWellFormed());
  return [`${named.join(', ')} ${sent.length === 1 ? 'is' : 'are'} not known here: send ${possible}`];
}

function misspelt({ entries }: Fields, input: object): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(entries, name)) continue;
    const folded = name.replace(/\[\]$/, '').toLowerCase();
    const meant = Object.keys(entries).find((known) => known.toLowerCase() === folded);
    if (meant !== undefined) problems.push(`${name} must be written ${meant}`);
  }
  return problems;
}

const NAME_MAX = 1000;
const NOT_ONLY_SPACE = /\P{White_Space}/u;
/** `NOT_ONLY_SPACE` as it is published, for validators of any language. They differ only on U+0085 and U+FEFF. */
const PORTABLE_PATTERN = '\\S';

/** Whether a person can have written this text; see `nameOf`. */
export function isName(text: string, max = NAME_MAX): boolean {
  if (text.length > 2 * max || (text.length > max && [...text].length > max)) return false;
  return NOT_ONLY_SPACE.test(text) && !text.includes('\0') && text.isWellFormed();
}

/** Not by `toLocaleString`, which loads the data of all languages when the program starts. */
export function withThousands(count: number): string {
  const digits = String(count);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join();
}

/** Text that a person has written: the name of an animal or a category, a note, or a reason. */
export const nameOf = (description: string, max = NAME_MAX, notText = 'must be text') =>
  v.pipe(
    v.string(notText),
    v.check(
      (text) => isName(text, max),
      `must be 1 to ${withThousands(max)} characters, not only white space, without NUL or lone surrogates`,
    ),
    v.description(description),
    v.metadata({ minLength: 1, maxLength: max, pattern: PORTABLE_PATTERN }),
  );
