import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import type { Message, Offer } from '../data/messages.ts';
import { focusTitle } from '../navigation.ts';
import { shop } from '../session.ts';

/** The only place that says what has happened. Rows show the present state. */
export const MessageRegion = (): JSX.Element => (
  <div class="messages" role="log" aria-live="polite" aria-label="Messages">
    {shop().messages.all.value.map((message) => (
      <MessageLine key={message.id} message={message} />
    ))}
  </div>
);

function MessageLine({ message: { id, kind, text, offer } }: { readonly message: Message }): JSX.Element {
  const press = (pressed: HTMLElement, { run }: Offer) => {
    // The button disappears, so the one beside it gets the focus.
    if (pressed === document.activeElement)
      pressed.parentElement?.querySelector<HTMLElement>('.close-message')?.focus({ preventScroll: true });
    void run();
  };
  const close = (pressed: HTMLElement) => {
    // The next message gets the focus, or the page.
    if (pressed === document.activeElement) {
      const all = [...document.querySelectorAll<HTMLElement>('.close-message')];
      const next = all[all.indexOf(pressed) + 1] ?? all[all.indexOf(pressed) - 1];
      if (next) next.focus({ preventScroll: true });
      else focusTitle();
    }
    shop().messages.close(id);
  };
  return (
    <p class={`message ${kind === 'wrong' ? 'wrong' : ''}`}>
      <span>{text}</span>
      {offer ? (
        <button
          type="button"
          class="link"
          aria-label={offer.description}
          onClick={({ currentTarget }) => press(currentTarget, offer)}
        >
          {offer.label}
        </button>
      ) : null}
      <button
        type="button"
        class="button plain close-message"
        aria-label="Close the message"
        onClick={({ currentTarget }) => close(currentTarget)}
      >
        {icon('close')}
      </button>
    </p>
  );
}
