import { batch, type Signal, signal } from '@preact/signals';
import { isEqual } from './is-equal.ts';

/** Numbers what is asked for and what changes, in that order. All tables of a cache share one. */
export class Sequence {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}

interface Entry<T> {
  /** Undefined until the service was asked. It changes with the value alone, so that no view is drawn again for nothing. */
  readonly known: Signal<Known<T> | undefined>;
  /** The moment at which this was asked for, or changed. */
  asOf: number;
  /** Changed here, and not yet confirmed by an event or a later answer. */
  isUnconfirmed: boolean;
}

interface Known<T> {
  /** Undefined if the service has no such thing. */
  readonly value: T | undefined;
}

/**
 * What is known of one kind of thing, each of them once, by its id. Views read it through signals and follow every change.
 *
 * One rule decides what is stale: nothing is replaced by an answer that was asked for before it. A change made here, and an event, are
 * newer than everything that was asked for before them.
 */
export class Table<Id, T extends { readonly id: Id }> {
  readonly #sequence: Sequence;
  readonly #observe: (value: T | undefined, id: Id) => void;
  readonly #entries = new Map<Id, Entry<T>>();

  /** `observe` is told what is new, and what is gone. */
  constructor(sequence: Sequence, observe: (value: T | undefined, id: Id) => void = () => {}) {
    this.#sequence = sequence;
    this.#observe = observe;
  }

  #entry(id: Id): Entry<T> {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = { known: signal(undefined), asOf: 0, isUnconfirmed: false };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  /** What is known of it; undefined if it does not exist, or was never asked for. */
  get(id: Id): T | undefined {
    return this.#entry(id).known.value?.value;
  }

  peek(id: Id): T | undefined {
    return this.#entries.get(id)?.known.peek()?.value;
  }

  /** Whether the service was asked for it. */
  isKnown(id: Id): boolean {
    return this.#entry(id).known.value !== undefined;
  }

  /** What a request that was begun at the moment `asked` has answered. */
  receive(values: readonly T[], asked: number): void {
    batch(() => {
      for (const value of values) this.#receive(value.id, value, asked);
    });
  }

  /** A request that was begun at the moment `asked` has not found these. */
  receiveAbsent(ids: readonly Id[], asked: number): void {
    batch(() => {
      for (const id of ids) this.#receive(id, undefined, asked);
    });
  }

  #receive(id: Id, value: T | undefined, asked: number): void {
    if (this.#entry(id).asOf > asked) return;
    this.#set(id, value, asked, false);
  }

  /** The answer to a change that was made here. */
  change(value: T): void {
    this.#set(value.id, value, this.#sequence.next(), true);
  }

  /** It was removed here. */
  remove(id: Id): void {
    this.#set(id, undefined, this.#sequence.next(), true);
  }

  /**
   * An event says that it has become this. Events arrive in order, but later than the answer to a change that was made here: one that
   * says something else may be older than that change. It is not applied then, and the result is false: the service has to be asked.
   */
  applyEvent(id: Id, value: T | undefined): boolean {
    const { known, isUnconfirmed } = this.#entry(id);
    if (isUnconfirmed && !isEqual(known.peek()?.value, value)) return false;
    this.#set(id, value, this.#sequence.next(), false);
    return true;
  }

  #set(id: Id, value: T | undefined, asOf: number, isUnconfirmed: boolean): void {
    const entry = this.#entry(id);
    const known = entry.known.peek();
    entry.asOf = asOf;
    entry.isUnconfirmed = isUnconfirmed;
    if (!known || !isEqual(known.value, value)) entry.known.value = { value };
    if ((value === undefined) !== (known?.value === undefined)) this.#observe(value, id);
  }
}
