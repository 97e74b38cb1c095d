import { signal } from '@preact/signals';

const SHOWN_MS = 60_000;
const MOST = 3;

/** What the person can do about a message. */
export interface Offer {
  readonly label: 'Undo' | 'Try again';
  /** The label in full: what is undone or tried again. */
  readonly description: string;
  readonly run: () => Promise<unknown>;
}

export interface Message {
  readonly id: number;
  /** `waiting` means that there is no answer yet. */
  readonly kind: 'done' | 'wrong' | 'waiting';
  /** One sentence that names what it is about and what has happened. */
  readonly text: string;
  readonly offer?: Offer | undefined;
}

/** At most three messages, the newest last, each for a minute or until it is closed. */
export class Messages {
  readonly all = signal<readonly Message[]>([]);
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #last = 0;

  /** Shows a message, in place of the message `replaced` if there is one. Returns its id. */
  say(kind: Message['kind'], text: string, offer?: Offer, replaced?: number): number {
    const id = replaced ?? ++this.#last;
    const message = { id, kind, text, offer };
    const isShown = this.all.peek().some((one) => one.id === id);
    this.all.value = isShown
      ? this.all.peek().map((one) => (one.id === id ? message : one))
      : [...this.all.peek(), message].slice(-MOST);
    clearTimeout(this.#timers.get(id));
    const timer = setTimeout(() => this.close(id), SHOWN_MS);
    // In Node, the timer must not keep the process running.
    (timer as unknown as { unref?: () => void }).unref?.();
    this.#timers.set(id, timer);
    return id;
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.all.value = this.all.peek().filter((one) => one.id !== id);
  }

  /** Presses the newest Undo. */
  undo(): void {
    const offer = this.all.peek().findLast((one) => one.offer?.label === 'Undo')?.offer;
    if (offer) void offer.run();
  }
}

/** What an action is about. Only one action at a time runs on a subject, and its row says so. */
export type Subject =
  | `animal-${bigint}`
  | `category-${bigint}`
  | `key-${string}`
  | `add-${number}`
  | 'selection';

export class Running {
  readonly #all = signal<ReadonlyMap<Subject, string>>(new Map());

  /** `Selling…`; undefined while no action runs. */
  at(subject: Subject): string | undefined {
    return this.#all.value.get(subject);
  }

  set(subject: Subject, text: string | undefined): void {
    const all = new Map(this.#all.peek());
    if (text === undefined) all.delete(subject);
    else all.set(subject, text);
    this.#all.value = all;
  }
}
