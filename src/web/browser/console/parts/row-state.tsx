import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import type { Offer, Outcome, Place } from '../data/actions/outcomes.ts';
import { shop } from '../session.ts';
import { keepFocus } from './keep-focus.ts';
import { statusMark } from './status.tsx';
import type { Status } from './wording.ts';

interface RowStateProps {
  readonly place: Place;
  /** Undefined where only the outcome of an action is to be shown. */
  readonly status: Status | undefined;
  /** What belongs to the status, such as a note. It stays while an action runs, so that the row keeps its height. */
  readonly children?: ComponentChildren;
}

/** The status of a row, or what an action in it has led to. It never takes more room. */
export function RowState({ place, status, children }: RowStateProps): JSX.Element {
  const outcome = shop().outcomes.at(place);
  return (
    <span class="row-state">
      {outcome && outcome.kind !== 'done' ? outcomeMark(outcome) : status && statusMark(status)}
      {children}
      {outcome?.offer ? <OfferButton offer={outcome.offer} /> : null}
    </span>
  );
}

/** What is under way, or went wrong, in the place of the status. */
export function outcomeMark(outcome: Outcome): JSX.Element {
  const text = outcomeText(outcome);
  return outcome.kind === 'busy' ? (
    <span class="status">
      {icon('spin')}
      {text}
    </span>
  ) : (
    <span class="status failed" title={text}>
      {icon('failed')}
      <span class="cut">{text}</span>
    </span>
  );
}

export const outcomeText = ({ text }: Outcome): string =>
  typeof text === 'function' ? text() : (text ?? '');

/** Undo, or Try again. Its name says of what. */
export function OfferButton({ offer }: { readonly offer: Offer }): JSX.Element {
  const accept = (event: MouseEvent) => {
    keepFocus(event);
    void offer.run();
  };
  return (
    <button type="button" class="link" aria-label={offer.description} onClick={accept}>
      {offer.label}
    </button>
  );
}
