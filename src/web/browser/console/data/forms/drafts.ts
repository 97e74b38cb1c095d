import { type Signal, signal } from '@preact/signals';

/** Texts that were typed and not used yet. Each waits for what it belongs to, by its id. Undefined where nothing was typed. */
export class Drafts {
  readonly #drafts = new Map<bigint, Signal<string | undefined>>();

  of(id: bigint): Signal<string | undefined> {
    let draft = this.#drafts.get(id);
    if (!draft) {
      draft = signal<string | undefined>(undefined);
      this.#drafts.set(id, draft);
    }
    return draft;
  }

  forget(id: bigint): void {
    this.of(id).value = undefined;
  }
}
