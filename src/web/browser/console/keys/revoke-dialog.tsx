import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Key } from '../../../../client/index.ts';
import { problemsFrom } from '../animals/values.ts';
import { revokeKey } from '../data/keys.ts';
import { session } from '../data/session.ts';
import { focusTitle } from '../navigation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { short } from '../parts/wording.ts';

interface RevokeDialogProps {
  readonly of: Key | undefined;
  readonly close: () => void;
}

/** Revoking cannot be undone: it is asked for. */
export function RevokeDialog({ of: key, close }: RevokeDialogProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const stop = () => {
    problem.value = undefined;
    close();
  };
  const revoke = async () => {
    try {
      if (key) await revokeKey(key);
      stop();
      // The button that opened the dialog is gone.
      focusTitle();
    } catch (error) {
      problem.value = problemsFrom(error, 'a key is revoked only once').form;
    }
  };
  return (
    <Dialog open={key !== undefined} labelledBy="revoke-title" onClose={stop}>
      <h2 id="revoke-title">{`Revoke the key ${short(key?.name ?? '')}?`}</h2>
      <p class="lead">{key && `${consequence(key)} This cannot be undone.`}</p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={stop}>
          Keep it
        </button>
        <button type="button" class="button main" onClick={() => void revoke()}>
          Revoke
        </button>
      </div>
    </Dialog>
  );
}

function consequence({ id, replacedBy }: Key): string {
  if (id === session.value?.key.id)
    return 'It is the key of this device: you will have to sign in with another one.';
  return replacedBy === undefined
    ? 'Whoever uses it is locked out within a second.'
    : 'It is the old one, which was replaced. The new one goes on working.';
}
