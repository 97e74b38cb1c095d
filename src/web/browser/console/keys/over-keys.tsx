import type { JSX } from 'preact';
import type { Key } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { count } from '../parts/wording.ts';
import { EndOfKey } from './key-words.tsx';

/** Keys that do not work any more: who has revoked them, and when they were last used. */
export function OverKeys({ keys }: { readonly keys: readonly Key[] }): JSX.Element | null {
  if (keys.length === 0) return null;
  return (
    <details class="over-list">
      <summary>
        {icon('down')}
        {keys.every(({ revokedAt }) => revokedAt !== undefined) ? 'Revoked keys' : 'Revoked and ended keys'}
        <span class="count">{count(keys.length)}</span>
      </summary>
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            <span>
              <b>
                <bdi>{key.name}</bdi>
              </b>{' '}
              <span class="id">{`id ${key.id}`}</span>
            </span>
            <span>
              <EndOfKey of={key} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
