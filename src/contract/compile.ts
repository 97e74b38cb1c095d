/**
 * Builds the function `(input) => { body }` from source text, in which the names of `scope` are defined. A function that
 * names its fields is up to four times faster than a loop over a list of field names, and such functions run for every
 * animal of every page. It is built on the first call: importing a module evaluates no text, so that modules that use
 * this also load under a Content-Security-Policy.
 *
 * `body` must come from tables in our own source code, never from input.
 */
export function compile<Input, Output>(
  body: string,
  scope: Readonly<Record<string, unknown>> = {},
): (input: Input) => Output {
  let compiled: ((input: Input) => Output) | undefined;
  return (input) => {
    compiled ??= new Function(...Object.keys(scope), `return (input) => { ${body} }`)(
      ...Object.values(scope),
    ) as (input: Input) => Output;
    return compiled(input);
  };
}

/** Reads the field `name` of `input`, as source text. */
export const fieldOf = (name: string): string => `input[${JSON.stringify(name)}]`;
