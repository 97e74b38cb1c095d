import { Fragment, type JSX } from 'preact';
import type { Key } from '../../../../client/index.ts';
import { dayOf, daysBetween, shortDate, yearOf } from '../parts/calendar.ts';
import { now } from '../parts/clock.ts';
import { ago, presentDay, shortMoment, timeOfDay } from '../parts/time.ts';
import { shop } from '../session.ts';

const RECENT_MS = 60 * 60 * 1000;
const NAMED_DAYS: Readonly<Record<number, string>> = { [-1]: 'tomorrow', 0: 'today', 1: 'yesterday' };

const isPast = (time: string | undefined): boolean => time !== undefined && new Date(time) <= now.value;

/** Whether the service does not accept the key any more. */
export const isOver = ({ revokedAt, expiresAt }: Key): boolean =>
  revokedAt !== undefined || isPast(expiresAt);

/** `today at 15:02`, `tomorrow at 15:10`, `2 Sep`, `2 Sep 2025`. */
function day(iso: string): string {
  const date = new Date(iso);
  const of = dayOf(date);
  const named = NAMED_DAYS[daysBetween(of, presentDay())];
  if (named) return `${named} at ${timeOfDay(date)}`;
  return yearOf(of) === yearOf(presentDay()) ? shortDate(of) : `${shortDate(of)} ${yearOf(of)}`;
}

/** `today at 15:02`, `on 2 Sep`. */
const onDay = (iso: string): string => (/^\d/.test(day(iso)) ? `on ${day(iso)}` : day(iso));

/** When a key was used: `8 minutes ago`, `today at 13:10`, `on 29 Oct`. */
export const usedAt = (iso: string): string =>
  now.value.getTime() - new Date(iso).getTime() < RECENT_MS ? ago(iso) : onDay(iso);

/** Who has done it, by the name of the key. Nothing where it was the command line. */
function By({ keyId }: { readonly keyId: string | undefined }): JSX.Element | null {
  if (keyId === undefined) return null;
  const name = shop().cache.keys.get(keyId)?.name;
  return (
    <>
      {' by '}
      {name === undefined ? `key ${keyId}` : <bdi>{name}</bdi>}
    </>
  );
}

const inOneLine = (facts: readonly (JSX.Element | string | undefined)[]): JSX.Element => (
  <>
    {facts
      .filter((fact) => fact !== undefined)
      .map((fact, index) => (
        <Fragment key={index}>
          {index > 0 ? ' · ' : ''}
          {fact}
        </Fragment>
      ))}
  </>
);

/** When a key is used, who made and changed it, and when it ends. */
export function KeyFacts({ of: key }: { readonly of: Key }): JSX.Element {
  const { createdAt, expiresAt, lastUsedAt, createdBy, changedBy, rotatedBy, replacedBy } = key;
  if (isOver(key)) return <EndOfKey of={key} />;
  const used = lastUsedAt === undefined ? 'Not used yet' : `Used ${usedAt(lastUsedAt)}`;
  const isReplaced = replacedBy !== undefined && expiresAt !== undefined;
  return inOneLine([
    // The service notes the use of a key a little later.
    key.id === shop().api.key.id ? 'Used just now' : used,
    <>
      made
      <By keyId={createdBy} /> {onDay(createdAt)}
    </>,
    changedBy === undefined ? undefined : (
      <>
        changed
        <By keyId={changedBy} />
      </>
    ),
    isReplaced ? (
      <>
        replaced
        <By keyId={rotatedBy} />, works until {day(expiresAt)}
      </>
    ) : undefined,
    !isReplaced && expiresAt !== undefined ? `ends ${onDay(expiresAt)}` : undefined,
  ]);
}

/** Who has revoked a key, or when it has ended, and when it was last used. */
export function EndOfKey({ of: key }: { readonly of: Key }): JSX.Element {
  const { revokedAt, revokedBy, expiresAt = '', lastUsedAt } = key;
  return inOneLine([
    revokedAt === undefined ? (
      `Ended ${onDay(expiresAt)}`
    ) : (
      <>
        Revoked
        <By keyId={revokedBy} /> {onDay(revokedAt)}
      </>
    ),
    lastUsedAt === undefined ? 'never used' : `last used ${shortMoment(lastUsedAt)}`,
  ]);
}
