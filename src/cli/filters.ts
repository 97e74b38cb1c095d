import { UsageError } from '../config.ts';
import { type Fields, validate } from '../contract/validate.ts';

/**
 * Reads flags by the rules of the query of a list: `parameters` has the parameter of each flag. Flags that are not given are left out. A
 * problem is reported as the API would, in the words of the command line.
 */
export function readFilters<T>(
  query: Fields<T>,
  given: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
): T {
  const pairs = Object.entries(parameters).filter(([flag]) => given[flag] !== undefined);
  const input = Object.fromEntries(pairs.map(([flag, parameter]) => [parameter, given[flag]]));
  const { value, problems } = validate(query, input);
  if (value !== undefined) return value;
  const flagOf = new Map(pairs.map(([flag, parameter]) => [parameter, `--${flag}`]));
  const inFlags = (problem: string) => problem.replace(/\w+/g, (word) => flagOf.get(word) ?? word);
  throw new UsageError(unescaped(problems.map(inFlags).join('; ')));
}

/** Examples without what belongs to a URL. */
const unescaped = (problem: string): string => problem.replaceAll('%2B', '+').replaceAll('&', ' ');
