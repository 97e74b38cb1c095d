import * as v from 'valibot';
import { isPartText } from './folded-text.ts';
import { limits } from './limits.ts';
import { SEARCH_TEXT } from './name-key.ts';
import { isTime, LATEST_TIME } from './time.ts';
import { withThousands } from './validate.ts';

// The filters that no index answers: a request looks at a bounded number of items.

export const VALUES_MAX = 20;

/** A sentence in the description of every filter whose requests look at a bounded number of items. */
const bounded = (items: string): string =>
  `One request looks at ${withThousands(limits.lookedAt)} ${items} at most, so a page may be short or empty although there are more: follow the \`Link\` as long as there is one.`;

/** `?name=iam`, `?note=lee` */
export const textPart = (description: string, items: string) =>
  v.pipe(
    v.string('must be given once'),
    v.check(
      isPartText,
      `must be 1 to ${SEARCH_TEXT.maxLength} characters, not only accents or white space, without NUL or lone surrogates`,
    ),
    v.description(`${description} ${bounded(items)}`),
    v.metadata({ ...SEARCH_TEXT, 'x-stability': 'experimental' }),
  );

/** Rounds up: times are stored to the millisecond, so the next millisecond is the first that is not before this time. */
function toMs(text: string): Date {
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return new Date(Math.min(Date.parse(text) + (isBetween ? 1 : 0), LATEST_TIME.getTime()));
}

/** `?completedFrom=2026-11-17T00:00:00+01:00` */
export const timeFilter = (description: string) =>
  v.pipe(
    v.string('must be given once'),
    v.check(
      isTime,
      'must be a time with seconds and offset, such as 2026-11-17T00:00:00Z or 2026-11-17T00:00:00%2B01:00',
    ),
    v.transform(toMs),
    v.description(`${description} Include the offset, and write its \`+\` as \`%2B\`.`),
    v.metadata({ type: 'string', format: 'date-time', 'x-stability': 'experimental' }),
  );

interface CompletionPeriod {
  readonly completedFrom?: Date | undefined;
  readonly completedBefore?: Date | undefined;
}

/** Whether orders are listed in the order of their completion. */
export const isByCompletion = ({ completedFrom, completedBefore }: CompletionPeriod): boolean =>
  completedFrom !== undefined || completedBefore !== undefined;

/** Refuses a time range that ends before it begins. Unlike a check, it also runs when a parameter has a problem of its own. */
export const timeInOrder = <Query extends CompletionPeriod>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const { completedFrom: from, completedBefore: before } = dataset.value as Partial<
      Record<string, unknown>
    >;
    if (!(from instanceof Date && before instanceof Date) || from <= before) return;
    addIssue({
      message: 'must not be after completedBefore',
      path: [{ type: 'object', origin: 'value', input: {}, key: 'completedFrom', value: from }],
    });
  });

/** `?type=order.completed&type=order.returned`; each once. */
export const severalOf = <T extends string>(
  isOne: (text: string) => text is T,
  rule: string,
  description: string,
  items: object,
) =>
  v.pipe(
    v.custom<string | string[]>((given) => {
      const texts = [given].flat();
      return texts.length <= VALUES_MAX && texts.every((text) => isOne(String(text)));
    }, rule),
    v.transform((given) => [...new Set([given].flat() as T[])] as readonly T[]),
    v.description(`${description} Repeat it for several. ${bounded('events')}`),
    v.metadata({
      type: 'array',
      items,
      minItems: 1,
      maxItems: VALUES_MAX,
      'x-stability': 'experimental',
    }),
  );

const KEY_ID = /^[\w-]{1,40}$/;

/** `?keyId=3` */
export const KeyIdFilter = severalOf(
  (text): text is string => KEY_ID.test(text),
  `must be 1 to ${VALUES_MAX} identifiers of API keys, such as keyId=3&keyId=4`,
  'Restricts the result to changes that were made with this API key.',
  { type: 'string' },
);
