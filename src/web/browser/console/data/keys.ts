import type { Key, KeyScope, KeyUpdate, NewKey } from '../../../../client/index.ts';
import { type Action, act, type Result } from './act.ts';
import { allows } from './api.ts';
import { addDays, type Day, dayOf, isDay, now, startOf } from './calendar.ts';
import { tidyName } from './forms.ts';
import type { Shop } from './shop.ts';
import { quoted } from './text.ts';

/** Whether a key with the scopes `ours` may give the `wanted` ones to another key, and change a key that has them. */
export const mayGive = (ours: readonly KeyScope[], wanted: readonly KeyScope[]): boolean =>
  wanted.every((scope) => (scope === '*' ? ours.includes('*') : allows(ours, scope)));

/** Whether the service no longer accepts a key. */
export const isOver = ({ revokedAt, expiresAt }: Key, present: Date = now.value): boolean =>
  revokedAt !== undefined || (expiresAt !== undefined && new Date(expiresAt) <= present);

/** How long a replaced key keeps working, unless it expires earlier. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** When a key stops working if it is replaced now. */
export function endOfOverlap({ expiresAt }: Key, present: Date = now.value): string {
  const end = new Date(present.getTime() + OVERLAP_MS).toISOString();
  return expiresAt !== undefined && expiresAt < end ? expiresAt : end;
}

/** When a key is to end, as a person chooses it. */
export type Ends = 'year' | 'quarter' | 'date' | 'never';
const DAYS = { year: 365, quarter: 90 } as const;

/** A key as the form shows it. */
export interface KeyFields {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly ends: Ends;
  /** The last day, if it ends on a date. */
  readonly day: Day;
}

export const fieldsOf = ({ name, scopes, expiresAt }: Key): KeyFields => ({
  ...{ name, scopes },
  ...(expiresAt === undefined
    ? { ends: 'never', day: '' }
    : { ends: 'date', day: dayOf(new Date(expiresAt)) }),
});

const isSameEnd = (one: KeyFields, other: KeyFields): boolean =>
  one.ends === other.ends && (one.ends !== 'date' || one.day === other.day);

/** What to fix, by field. An unchanged field is never wrong. */
export function problemsWithKey(
  fields: KeyFields,
  before: KeyFields,
  today: Day,
): { name?: string; day?: string } {
  const { name, ends, day } = fields;
  const isDayWrong = ends === 'date' && !isSameEnd(fields, before) && !(isDay(day) && day >= today);
  return {
    ...(tidyName(name) === '' && { name: 'Say who or what it is for.' }),
    ...(isDayWrong && { day: 'Choose today or a later day.' }),
  };
}

export function keyUpdate(fields: KeyFields, before: KeyFields, today: Day): KeyUpdate {
  const name = tidyName(fields.name);
  return {
    ...(name !== before.name && { name }),
    ...(new Set(fields.scopes).symmetricDifference(new Set(before.scopes)).size > 0 && {
      scopes: fields.scopes,
    }),
    ...(!isSameEnd(fields, before) && { expiresAt: endOf(fields, today) }),
  };
}

/** The last second of the last day: the key works on that day. Null for a key that never ends. */
export function endOf({ ends, day }: Pick<KeyFields, 'ends' | 'day'>, today: Day): string | null {
  if (ends === 'never') return null;
  const last = ends === 'date' ? day : addDays(today, DAYS[ends]);
  return new Date(startOf(addDays(last, 1)).getTime() - 1000).toISOString();
}

/* Changes. They cannot be repeated with an Idempotency-Key: the service would have to store the secret of a new key. */

type Work = Pick<Action, 'running' | 'what' | 'isSentOnce'>;

const actOn = (shop: Shop, id: string, work: Work, run: () => Promise<string>): Promise<Result | undefined> =>
  act(shop, { ...work, subject: `key-${id}`, run: async () => ({ text: await run() }) });

/** Shows a new key, which cannot be shown again, and its row. */
function show(shop: Shop, { key, ...created }: Key & { key: string }): void {
  shop.secret.value = { id: created.id, name: created.name, key };
  shop.cache.keys.change(created);
  void shop.api.load('more', () => shop.keyList.showUnseen());
}

/** Takes the place of the id of a key that is being made. */
export const NEW = 'new';

export const makeKey = (shop: Shop, wanted: NewKey): Promise<Result | undefined> => {
  const name = quoted(wanted.name);
  const work = { running: 'Making the key…', what: `the creation of the key ${name}`, isSentOnce: true };
  return actOn(shop, NEW, work, async () => {
    show(shop, await shop.api.write((client, options) => client.createKey(wanted, options)));
    return `The key ${name} was made.`;
  });
};

/** Gives a key another name, role or end. */
export const changeKey = (shop: Shop, { id, name }: Key, update: KeyUpdate): Promise<Result | undefined> =>
  actOn(shop, id, { running: 'Saving…', what: `the change of the key ${quoted(name)}` }, async () => {
    const changed = await shop.api.write((client, options) => client.updateKey(id, update, options));
    shop.cache.keys.change(changed);
    // The page offers only what the key of this session allows from now on.
    if (id === shop.api.key.id) shop.api.use({ client: shop.api.client, key: changed });
    return `The key ${quoted(changed.name)} was changed.`;
  });

/** Replaces a key. The old one works for another day. `goOnWith` takes over the new key if it is that of this session. */
export const rotateKey = (
  shop: Shop,
  { id, name }: Key,
  goOnWith: (key: string) => Promise<void>,
): Promise<Result | undefined> => {
  const what = `the rotation of the key ${quoted(name)}`;
  return actOn(shop, id, { running: 'Rotating…', what, isSentOnce: true }, async () => {
    const { replaces, ...created } = await shop.api.write((client, options) =>
      client.rotateKey(id, {}, options),
    );
    shop.cache.keys.change(replaces);
    show(shop, created);
    if (id === shop.api.key.id) void goOnWith(created.key);
    return `The key ${quoted(name)} was rotated.`;
  });
};

/** Ends a key at once. */
export const revokeKey = (shop: Shop, key: Key): Promise<Result | undefined> => {
  const name = quoted(key.name);
  return actOn(
    shop,
    key.id,
    { running: 'Revoking…', what: `the revocation of the key ${name}` },
    async () => {
      await shop.api.write((client, options) => client.revokeKey(key.id, options));
      const revokedAt = new Date().toISOString();
      shop.cache.keys.change({ ...key, revokedAt, revokedBy: shop.api.key.id });
      return `The key ${name} was revoked.`;
    },
  );
};
