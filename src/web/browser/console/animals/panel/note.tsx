import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Order } from '../../../../../client/index.ts';
import { MAX_NOTE, saveNote } from '../../data/actions/notes.ts';
import { isOffline, shop } from '../../session.ts';

const typed = (event: Event): string => (event.target as HTMLInputElement).value;

/** The note for an animal that is available. It goes with the order that is made next, and waits for it. */
export function NewNote({ petId }: { readonly petId: bigint }): JSX.Element {
  const draft = shop().notes.of(petId);
  return (
    <div class="field">
      <label class="label" for="new-note">
        Note <small>optional, for a reservation or a sale</small>
      </label>
      <input
        id="new-note"
        class="input"
        placeholder="for whom, until when"
        autocomplete="off"
        dir="auto"
        maxLength={MAX_NOTE}
        value={draft.value ?? ''}
        onInput={(event: Event) => (draft.value = typed(event))}
      />
    </div>
  );
}

interface NoteEditProps {
  readonly order: Order;
  /** The pencil was pressed: the keyboard goes on in the field. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
}

/** Changes the note of a reservation in its place. What was typed waits if the panel moves on. */
export function NoteEdit({ order, takesFocus, onClose }: NoteEditProps): JSX.Element {
  const draft = shop().noteEdits.of(order.id);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) input.current?.select();
  }, []);
  const isBusy = shop().outcomes.isBusy(`animal-${order.petId}`);
  const close = () => {
    shop().noteEdits.forget(order.id);
    onClose();
  };
  const save = async (event: Event) => {
    event.preventDefault();
    const text = draft.peek() ?? '';
    if (text.trim() === (order.note ?? '')) return close();
    if (isBusy || isOffline()) return;
    if (await saveNote(shop(), order, text)) close();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    <form onSubmit={save} noValidate>
      <label class="label" for="note-text">
        Note
      </label>
      <div class="edit">
        <input
          ref={input}
          id="note-text"
          class="input"
          autocomplete="off"
          dir="auto"
          maxLength={MAX_NOTE}
          aria-describedby="note-keys"
          value={draft.value ?? ''}
          onInput={(event: Event) => (draft.value = typed(event))}
          onKeyDown={press}
        />
        <button type="submit" class="button main" aria-disabled={isBusy || isOffline()}>
          {isBusy ? 'Saving…' : 'Save'}
        </button>
      </div>
      <p id="note-keys" class="about with-keys">
        <kbd>Enter</kbd> saves, <kbd>Esc</kbd>{' '}
        <button type="button" class="link" onClick={close}>
          {order.note === undefined ? 'leaves it without a note' : 'keeps the old note'}
        </button>
      </p>
      <button type="button" class="button plain without-keys" onClick={close}>
        {order.note === undefined ? 'Leave it without a note' : 'Keep the old note'}
      </button>
    </form>
  );
}
