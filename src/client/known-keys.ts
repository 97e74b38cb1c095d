import { invalidArgument } from './errors.ts';
import { QUERY_KEYS } from './queries.ts';

export type ListPath = keyof typeof QUERY_KEYS;

export function checkQuery(path: ListPath, query: object): void {
  const known: readonly string[] = QUERY_KEYS[path];
  rejectUnknown(
    'query',
    Object.keys(query).filter((key) => !known.includes(key)),
  );
}

/** Ignored, a misspelt filter would return every animal, and a `signal` in the wrong place would abort nothing. */
export function rejectUnknown(argument: 'query' | 'options', [key]: readonly string[]): void {
  if (key !== undefined) throw invalidArgument(`${argument} must not contain ${JSON.stringify(key)}.`);
}
