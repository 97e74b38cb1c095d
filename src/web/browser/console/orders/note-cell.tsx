import type { JSX, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Order } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { MAX_NOTE, saveNote } from '../data/actions/notes.ts';
import { isOffline, may, shop } from '../session.ts';
import { animalWord } from './order-animal.tsx';

/** Whether the note of an order is being changed, in its row. */
export const isNoteEdited = ({ id }: Order): boolean => shop().noteEdits.of(id).value !== undefined;

/** The note of an order. It is changed where it is read. */
export function NoteCell({ order }: { readonly order: Order }): JSX.Element {
  const pencil = useRef<HTMLButtonElement>(null);
  // The note may be edited in the panel as well: the focus is ours only if the editing has begun here.
  const isOurs = useRef(false);
  const isEdited = isNoteEdited(order);
  useEffect(() => {
    if (isEdited || !isOurs.current) return;
    isOurs.current = false;
    // The field is gone, and the focus with it.
    if (document.activeElement === document.body) pencil.current?.focus();
  }, [isEdited]);
  if (isEdited) return <NoteField order={order} isFocused={isOurs.current} />;
  const { note } = order;
  const canEdit = order.status === 'placed' && may('store:write') && !isOffline();
  const edit = () => {
    isOurs.current = true;
    shop().noteEdits.begin(order.id, note);
  };
  return (
    <span class="row-note">
      {note === undefined ? null : <bdi title={note}>{note}</bdi>}
      {canEdit ? (
        <button
          ref={pencil}
          type="button"
          class={`button plain small ${note === undefined ? '' : 'square'}`}
          aria-label={`${note === undefined ? 'Add note' : 'Edit the note'} for ${animalWord(order)}`}
          onClick={edit}
        >
          {icon('pencil')}
          {note === undefined ? 'Add note' : null}
        </button>
      ) : null}
    </span>
  );
}

interface NoteFieldProps {
  readonly order: Order;
  readonly isFocused: boolean;
}

function NoteField({ order, isFocused }: NoteFieldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  const current = shop();
  const draft = current.noteEdits.of(order.id);
  const isBusy = current.outcomes.isBusy(`animal-${order.petId}`);
  const keep = () => current.noteEdits.forget(order.id);
  const save = async () => {
    const text = draft.peek() ?? '';
    if (text.trim() === (order.note ?? '')) return keep();
    // What was typed stays in the field until it is saved, and so does what was typed meanwhile.
    if (await saveNote(current, order, text)) keep();
  };
  return (
    <form
      class="row-note"
      onSubmit={(event: TargetedEvent) => {
        event.preventDefault();
        if (!isBusy && !isOffline()) void save();
      }}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLFormElement>) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.stopPropagation();
        keep();
      }}
    >
      <input
        ref={input}
        class="input"
        aria-label={`Note for ${animalWord(order)}`}
        value={draft.value ?? ''}
        maxLength={MAX_NOTE}
        autocomplete="off"
        dir="auto"
        onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
      />
      <button type="submit" class="button main small" aria-disabled={isBusy || isOffline()}>
        Save
      </button>
      <button type="button" class="button plain small square" aria-label="Keep the old note" onClick={keep}>
        {icon('close')}
      </button>
    </form>
  );
}
