import { signal } from '@preact/signals';

const SHOWN_MS = 60_000;

/** What an action has led to. It is shown where the action was started, in place of the status. */
export interface Outcome {
  readonly kind: 'busy' | 'done' | 'failed';
  /** While it is busy and when it has failed: what to say. A function follows what it reads. */
  readonly text?: string | (() => string) | undefined;
  /** What the person can do about it. */
  readonly offer?: Offer | undefined;
  /** Finds out what has happened, where no answer has told. */
  readonly verify?: (() => Promise<void>) | undefined;
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
export type Place =
  | `animal-${bigint}`
  | `order-${bigint}`
  | `category-${bigint}`
  | `key-${string}`
  | 'selection';

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

  report(places: readonly Place[], outcome: Outcome, spoken: string): void {
    this.#all.value = new Map([...this.#all.peek(), ...places.map((place) => [place, outcome] as const)]);
    this.announcement.value = spoken;
    // An outcome that nobody knows yet stays until it is known.
    if (outcome.kind === 'busy' || outcome.verify) return;
    const timer = setTimeout(() => this.#forget(places, outcome), SHOWN_MS);
    // In Node, nothing waits for it.
    (timer as unknown as { unref?: () => void }).unref?.();
  }

  /** The person has seen it. What is under way stays. */
  dismiss(place: Place): void {
    const outcome = this.#all.peek().get(place);
    if (outcome && outcome.kind !== 'busy') this.#forget([place], outcome);
  }

  remove(places: readonly Place[]): void {
    this.#all.value = new Map([...this.#all.peek()].filter(([place]) => !places.includes(place)));
  }

  #forget(places: readonly Place[], outcome: Outcome): void {
    const left = [...this.#all.peek()].filter(([place, one]) => !places.includes(place) || one !== outcome);
    this.#all.value = new Map(left);
  }

  /** Someone else has changed it since: what was done here is over, and so is its Undo. */
  outdate(places: readonly Place[]): void {
    const isOver = ([place, { kind }]: [Place, Outcome]) => kind === 'done' && places.includes(place);
    const all = [...this.#all.peek()];
    if (all.some(isOver)) this.#all.value = new Map(all.filter((one) => !isOver(one)));
  }

  /** Leaving the view forgets what was done in it, but for what is under way or not known yet. */
  clear(): void {
    const isOpen = ({ kind, verify }: Outcome) => kind === 'busy' || verify !== undefined;
    this.#all.value = new Map([...this.#all.peek()].filter(([, outcome]) => isOpen(outcome)));
    this.announcement.value = '';
  }

  /** To be called when the service can be reached again. */
  async verify(): Promise<void> {
    const unknown = new Set([...this.#all.peek().values()].map(({ verify }) => verify));
    await Promise.all([...unknown].map((verify) => verify?.()));
  }
}
