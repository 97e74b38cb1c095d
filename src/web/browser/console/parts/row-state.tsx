import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { type Outcome, outcomes, type Place } from '../data/outcomes.ts';
import { keepFocus } from './keep-focus.ts';
import { statusMark } from './status.tsx';
import type { Status } from './wording.ts';

interface RowStateProps {
  readonly place: Place;
  /** Undefined where only the outcome of an action is to be shown. */
  readonly status: Status | undefined;
  /** What belongs to the status, such as the time of closing. */
  readonly children?: ComponentChildren;
}

/** The status of a row, or what an action in it has led to. It never takes more room. */
export function RowState({ place, status, children }: RowStateProps): JSX.Element {
  const outcome = outcomes.value.get(place);
  const offer = outcome?.offer;
  if (outcome?.kind === 'busy')
    return (
      <span class="row-state">
        <span class="spinner" />
        {outcome.text}
      </span>
    );
  return (
    <span class="row-state">
      {outcome?.kind === 'failed' ? (
        <span class="status failed" title={outcome.text}>
          {icon('warning')}
          <span class="cut">{outcome.text}</span>
        </span>
      ) : (
        status && statusMark(status)
      )}
      {offer ? (
        <button type="button" class="link" onClick={(event: MouseEvent) => accept(event, offer)}>
          {offer.label}
        </button>
      ) : (
        children
      )}
    </span>
  );
}

function accept(event: MouseEvent, { run }: NonNullable<Outcome['offer']>): void {
  keepFocus(event);
  run();
}
