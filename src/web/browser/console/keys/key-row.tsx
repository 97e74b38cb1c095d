import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Key } from '../../../../client/index.ts';
import { problemsFrom } from '../animals/values.ts';
import { isOffline } from '../data/connection.ts';
import { keys, rotateKey } from '../data/keys.ts';
import { allows, may, type Permission } from '../data/permissions.ts';
import { session } from '../data/session.ts';
import { describeScopes } from '../parts/scopes.ts';
import { ago, moment } from '../parts/time.ts';
import { short } from '../parts/wording.ts';

interface KeyRowProps {
  readonly of: Key;
  readonly revoke: () => void;
}

/** One key: whose it is, what it opens, when it was used. */
export function KeyRow({ of: key, revoke }: KeyRowProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const isThis = key.id === session.value?.key.id;
  const isOver = key.revokedAt !== undefined || isPast(key.expiresAt);
  const rotate = async () => {
    busy.value = true;
    problem.value = undefined;
    try {
      await rotateKey(key.id);
    } catch (error) {
      problem.value = problemsFrom(error, 'look at the list first, the key may have been replaced').form;
    } finally {
      busy.value = false;
    }
  };
  const rests = isOver || busy.value || isOffline.value || !isOurs(key);
  return (
    <li class={`row is-key ${isOver ? 'is-over' : ''}`}>
      <div class="key-facts">
        <p>
          <bdi class="name">{key.name}</bdi>
          {isThis ? <span class="badge">This device</span> : null}
        </p>
        <p>{describeScopes(key.scopes)}</p>
        <p class="hint">{whenOf(key, isThis)}</p>
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </div>
      {rests ? null : (
        <span class="row-action">
          {key.replacedBy === undefined ? (
            <button
              type="button"
              class="button small plain"
              aria-label={`Rotate ${short(key.name)}`}
              onClick={() => void rotate()}
            >
              Rotate
            </button>
          ) : null}
          <button
            type="button"
            class="button small plain"
            aria-label={`Revoke ${short(key.name)}`}
            onClick={revoke}
          >
            Revoke
          </button>
        </span>
      )}
    </li>
  );
}

const isPast = (time: string | undefined): boolean => time !== undefined && new Date(time) <= new Date();

/** A key manages only keys that open no more than it does. */
const isOurs = ({ scopes }: Key): boolean => {
  const ours = session.value?.key.scopes ?? [];
  const isIncluded = scopes.every((scope) => ours.includes('*') || allows(ours, scope as Permission));
  return may('keys:write') && isIncluded;
};

/** Who has done something, as far as it is known. The command line is nobody. */
function by(keyId: string | undefined): string {
  if (keyId === undefined) return '';
  const author = keys.items.value?.find(({ id }) => id === keyId);
  return ` by ${author ? short(author.name) : `key ${keyId}`}`;
}

function whenOf(key: Key, isThis: boolean): string {
  const { createdAt, expiresAt, lastUsedAt, revokedAt, replacedBy } = key;
  if (revokedAt !== undefined) return `Revoked ${moment(revokedAt)}${by(key.revokedBy)}`;
  // The service notes the use of a key a little later.
  const seen = lastUsedAt === undefined ? 'Not used yet' : `Used ${ago(lastUsedAt)}`;
  const used = isThis ? 'Used just now' : seen;
  if (isPast(expiresAt)) return `Ended ${moment(expiresAt ?? '')} · ${used.toLowerCase()}`;
  const rotated = key.rotatedBy === undefined ? '' : ` · rotated${by(key.rotatedBy)}`;
  if (replacedBy !== undefined && expiresAt !== undefined)
    return `Replaced; still works until it ends ${moment(expiresAt)}${rotated}`;
  const ends = expiresAt === undefined ? '' : ` · ends ${moment(expiresAt)}`;
  const changed = key.changedBy === undefined ? '' : ` · changed${by(key.changedBy)}`;
  return `${used} · made ${moment(createdAt)}${by(key.createdBy)}${changed}${ends}`;
}
