import * as v from 'valibot';

const NAME_MAX = 1000;
const NOT_ONLY_SPACE = /\P{White_Space}/u;
/** As published, for validators of any language. It differs on U+0085 and U+FEFF alone. */
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
