import * as v from 'valibot';

const NAME_MAX = 1000;
const NOT_ONLY_SPACE = /\P{White_Space}/u;
/** As published, for validators of any language. It differs on U+0085 and U+FEFF alone. */
const PORTABLE_PATTERN = '\\S';

function isName(text: string): boolean {
  if (text.length > 2 * NAME_MAX || (text.length > NAME_MAX && [...text].length > NAME_MAX)) return false;
  return NOT_ONLY_SPACE.test(text) && !text.includes('\0') && text.isWellFormed();
}

/** Text that a person has written: the name of an animal or a category, or a note. */
export const nameOf = (description: string) =>
  v.pipe(
    v.string('must be text'),
    v.check(
      isName,
      // Written out: `toLocaleString` would cost every start 25 ms of CPU to load what it knows of all languages.
      'must be 1 to 1,000 characters, not only white space, without NUL or lone surrogates',
    ),
    v.description(description),
    v.metadata({ minLength: 1, maxLength: NAME_MAX, pattern: PORTABLE_PATTERN }),
  );
