import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The most characters that the service stores. */
const REASON_MAX = 200;
const REASONS = ['Died', 'Given away', 'Mistake'] as const;

/** Why an animal is removed, as far as it was answered. */
export interface Reason {
  readonly isOther: boolean;
  readonly text: string;
}
export const NO_REASON: Reason = { isOther: false, text: '' };

/** The reason as it is stored; undefined if none was given. */
export const reasonText = ({ text }: Reason): string | undefined => text.trim() || undefined;

interface ReasonChipsProps {
  readonly reason: Reason;
  readonly onReason: (reason: Reason) => void;
}

/** Why animals are removed: one of the usual reasons, or another one in words. Pressing a reason again takes it back. */
export function ReasonChips({ reason, onReason }: ReasonChipsProps): JSX.Element {
  const chip = (label: string, isChosen: boolean, chosen: Reason) => (
    <button
      key={label}
      type="button"
      class="chip"
      aria-pressed={isChosen}
      onClick={() => onReason(isChosen ? NO_REASON : chosen)}
    >
      {label}
    </button>
  );
  return (
    <fieldset>
      <legend class="label">
        Why? <small>optional</small>
      </legend>
      <div class="chips">
        {REASONS.map((text) => chip(text, !reason.isOther && reason.text === text, { isOther: false, text }))}
        {chip('Other…', reason.isOther, { isOther: true, text: '' })}
        {reason.isOther ? (
          <OtherReason text={reason.text} onText={(text) => onReason({ isOther: true, text })} />
        ) : null}
      </div>
    </fieldset>
  );
}

interface OtherReasonProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function OtherReason({ text, onText }: OtherReasonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      class="input"
      aria-label="Reason"
      placeholder="In a few words"
      autocomplete="off"
      dir="auto"
      maxLength={REASON_MAX}
      value={text}
      onInput={(event: Event) => onText((event.target as HTMLInputElement).value)}
    />
  );
}
