import { type Signal, signal } from '@preact/signals';

/** Texts that were typed and not used yet. Each waits for what it belongs to, by its id. Undefined where nothing was typed. */
export class Drafts {
  readonly #drafts = new Map<bigint, Signal<string | undefined>>();
  readonly #seen = new Map<bigint, string | undefined>();

  of(id: bigint): Signal<string | undefined> {
    let draft = this.#drafts.get(id);
    if (!draft) {
      draft = signal<string | undefined>(undefined);
      this.#drafts.set(id, draft);
    }
    return draft;
  }

  /** Begins with the text that is there now. */
  begin(id: bigint, text: string | undefined): void {
    this.#seen.set(id, text);
    this.of(id).value = text ?? '';
  }

  /** The text that was there when the person last looked. */
  seen(id: bigint): string | undefined {
    return this.#seen.get(id);
  }

  /** The person has seen that it is this now. */
  see(id: bigint, text: string | undefined): void {
    this.#seen.set(id, text);
  }

  forget(id: bigint): void {
    this.#seen.delete(id);
    this.of(id).value = undefined;
  }
}
