import { signal } from '@preact/signals';

const SHOWN_MS = 60_000;

/** What an action has led to. It is shown where the action was started, in place of the status. */
export interface Outcome {
  readonly kind: 'busy' | 'done' | 'failed';
  /** While it is busy and when it has failed: what to say. A function follows what it reads. */
  readonly text?: string | (() => string) | undefined;
  /** What the person can do about it. */
  readonly offer?: Offer | undefined;
}

export interface Offer {
  /** `Undo`, or `Try again`. */
  readonly label: string;
  /** The label in full: what is undone or tried again. */
  readonly description: string;
  /** False if it has failed. */
  readonly run: () => Promise<boolean>;
}

/** A row, or the panel of the same animal. */
export type Place = `animal-${bigint}` | `category-${bigint}` | `key-${string}` | 'selection';

/** What the actions of a person have led to, by the place where they were started. */
export class Outcomes {
  readonly #all = signal<ReadonlyMap<Place, Outcome>>(new Map());
  /** The latest outcome in words, for screen readers. */
  readonly announcement = signal('');

  at(place: Place): Outcome | undefined {
    return this.#all.value.get(place);
  }

  /** Whether an action is under way there. */
  isBusy(place: Place): boolean {
    return this.#all.value.get(place)?.kind === 'busy';
  }

  report(place: Place, outcome: Outcome, spoken: string): void {
    this.#all.value = new Map([...this.#all.peek(), [place, outcome]]);
    this.announcement.value = spoken;
    if (outcome.kind === 'busy') return;
    const timer = setTimeout(() => this.#forget(outcome), SHOWN_MS);
    // In Node, nothing waits for it.
    (timer as unknown as { unref?: () => void }).unref?.();
  }

  /** The person has seen it. What is under way stays. */
  dismiss(place: Place): void {
    if (this.#all.peek().get(place)?.kind !== 'busy') this.remove(place);
  }

  remove(place: Place): void {
    const outcome = this.#all.peek().get(place);
    if (outcome) this.#forget(outcome);
  }

  #forget(outcome: Outcome): void {
    this.#all.value = new Map([...this.#all.peek()].filter(([, one]) => one !== outcome));
  }

  /** Someone else has changed it since: what was done here is over, and so is its Undo. */
  outdate(place: Place): void {
    if (this.#all.peek().get(place)?.kind === 'done') this.remove(place);
  }

  /** Leaving the view forgets what was done in it, but for what is under way. */
  clear(): void {
    this.#all.value = new Map([...this.#all.peek()].filter(([, { kind }]) => kind === 'busy'));
    this.announcement.value = '';
  }
}
