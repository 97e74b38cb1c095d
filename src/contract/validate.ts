import * as v from 'valibot';

type Entries = Readonly<Record<string, v.GenericSchema>>;

/** A schema of named fields: a plain object schema, or one with its title and description piped behind. */
export type Fields<Output = unknown> = v.GenericSchema<unknown, Output> & { readonly entries: Entries };

/** The accepted value, or why there is none. */
export type Validated<T> = { value: T; problems: [] } | { value?: undefined; problems: string[] };

/**
 * Holds `input` against `schema` and finds every problem at once, each a phrase that begins with its field.
 * Fields the schema does not name are dropped, or, when `strict`, problems too.
 */
export function validate<T>(schema: Fields<T>, input: unknown, strict: boolean): Validated<T> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { problems: ['the body must be a JSON object'] };
  }
  const result = v.safeParse(schema, input);
  const problems = result.success ? [] : result.issues.map(problemOf);
  if (strict) {
    for (const key of Object.keys(input)) {
      if (!Object.hasOwn(schema.entries, key)) problems.push(`${key} is not known here`);
    }
  }
  return result.success && problems.length === 0 ? { value: result.output, problems: [] } : { problems };
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const missing = issue.type === 'object' && issue.input === undefined;
  return `${v.getDotPath(issue)} ${missing ? 'is required' : issue.message}`;
}
