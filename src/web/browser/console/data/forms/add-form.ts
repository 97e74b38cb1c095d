import { signal } from '@preact/signals';
import { randomId } from '../../../../../client/call.ts';
import { createOrFindCategory } from '../actions/categories.ts';
import { remove, restore } from '../actions/removal.ts';
import { animalFrom } from '../cache/animal.ts';
import { isRefusal } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { type Addition, isUnfinished, litterNames } from './addition.ts';
import {
  type Fields,
  type Problems,
  problemsFrom,
  problemsWith,
  tidyName,
  wantedCategory,
} from './fields.ts';

/** The most that the service adds in one request. */
export const MOST_AT_ONCE = 100;

/**
 * Adds animals. The form is free for the next entry at once; entries are sent in order, one after the other, and each shows what has
 * become of it.
 */
export class AddForm {
  readonly #shop: Shop;
  readonly isOpen = signal(false);
  readonly fields = signal<Fields>({ name: '', category: '' });
  /** How many: a litter has numbers after its name. */
  readonly count = signal(1);
  readonly problems = signal<Problems>({});
  /** What was entered since the form was opened, the latest first. */
  readonly additions = signal<readonly Addition[]>([]);
  #isSending = false;
  #lastId = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  open(): void {
    if (!this.isOpen.peek()) this.additions.value = this.additions.peek().filter(isUnfinished);
    this.isOpen.value = true;
  }

  close(): void {
    this.isOpen.value = false;
  }

  edit(change: Partial<Fields>): void {
    this.fields.value = { ...this.fields.peek(), ...change };
    this.problems.value = {};
  }

  /** Takes what was typed, and clears the name for the next one. False if something has to be fixed first. */
  submit(): boolean {
    const fields = this.fields.peek();
    const count = this.#validCount();
    const wanted = wantedCategory(this.#shop.categories, fields.category);
    this.problems.value = {
      ...problemsWith(fields, wanted),
      ...(count === undefined && { count: `From 1 to ${MOST_AT_ONCE}.` }),
    };
    if (count === undefined || Object.keys(this.problems.peek()).length > 0) return false;
    const names = litterNames(tidyName(fields.name), count);
    this.additions.value = [this.#entry(fields, names), ...this.additions.peek()];
    this.fields.value = { ...fields, name: '' };
    this.count.value = 1;
    void this.#sendAll();
    return true;
  }

  /** Sends an entry again, and with it everything else that was sent and not added, in order. */
  retry(addition: Addition): void {
    this.additions.value = this.additions
      .peek()
      .map((one) =>
        one.state === 'failed' && (!one.isUnsent || one.id === addition.id)
          ? { ...one, state: 'waiting', problem: undefined, isUnsent: undefined }
          : one,
      );
    void this.#sendAll();
  }

  /** Puts what was not added back into the form. What is in the form takes its place in the list, so that nothing is lost. */
  change({ id, fields, names }: Addition): void {
    const typed = this.fields.peek();
    const name = tidyName(typed.name);
    const entry = this.#entry(typed, litterNames(name, this.#validCount() ?? 1));
    const instead: readonly Addition[] =
      name === '' ? [] : [{ ...entry, state: 'failed', problem: 'Not sent yet.', isUnsent: true }];
    this.additions.value = this.additions.peek().flatMap((one) => (one.id === id ? instead : [one]));
    this.fields.value = fields;
    this.count.value = names.length;
    this.problems.value = {};
  }

  #entry(fields: Fields, names: readonly string[]): Addition {
    return { id: ++this.#lastId, names, fields, animals: [], idempotencyKey: randomId(), state: 'waiting' };
  }

  #validCount(): number | undefined {
    const count = this.count.peek();
    return Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE ? count : undefined;
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const next = this.additions.peek().findLast(({ state }) => state === 'waiting');
        if (!next) return;
        await this.#send(next);
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #send(addition: Addition): Promise<void> {
    const { id, names, fields, idempotencyKey } = addition;
    this.#update(id, { state: 'adding' });
    try {
      const categoryId = await this.#categoryId(fields.category);
      const pets = names.map((name) => ({ name, categoryId }));
      const added = await this.#shop.api.write(
        (client, options) => client.createPets(pets, options),
        idempotencyKey,
      );
      const animals = added.map(animalFrom);
      for (const animal of animals) this.#shop.cache.animals.change(animal);
      // The newest come first.
      this.#shop.animalList.prepend(animals.toReversed());
      this.#update(id, { state: 'added', animals });
      this.#shop.outcomes.announcement.value = `${names.length === 1 ? names[0] : `${names.length} animals`} added.`;
      this.#shop.changed();
    } catch (error) {
      const problem = problemsFrom(error, 'nothing is added twice').form ?? 'Not added.';
      // What comes after it would fail as well, unless the service has refused this one.
      const stopped = isRefusal(error)
        ? [id]
        : this.additions
            .peek()
            .filter((one) => isUnfinished(one) && !one.isUnsent)
            .map((one) => one.id);
      for (const one of stopped) this.#update(one, { state: 'failed', problem });
      this.#update(id, { isUncertain: !isRefusal(error) });
    }
  }

  /** The category that was typed: it may have been created by the entry before. */
  async #categoryId(text: string): Promise<bigint> {
    const wanted = wantedCategory(this.#shop.categories, text);
    if (wanted.kind === 'new') return (await createOrFindCategory(this.#shop, wanted.name)).id;
    return 'id' in wanted ? wanted.id : 0n;
  }

  /** Removes what an entry has added, or brings it back. What cannot be removed, such as one that is reserved, stays. */
  async undo({ id, animals, state }: Addition): Promise<void> {
    const present = this.additions.peek().find((one) => one.id === id)?.state;
    if (present !== state || (state !== 'added' && state !== 'undone')) return;
    this.#update(id, { state: 'undoing', problem: undefined });
    let failures = 0;
    for (const { id: petId } of animals) {
      const animal = this.#shop.cache.animals.peek(petId);
      const isDone =
        animal &&
        (state === 'undone'
          ? !animal.removed || (await restore(this.#shop, animal))
          : animal.removed || (await remove(this.#shop, animal, 'Added by mistake')));
      if (!isDone) failures++;
    }
    const [after, word] = state === 'undone' ? ['added', 'restored'] : ['undone', 'removed'];
    const problem = failures > 0 ? `${failures} of ${animals.length} not ${word}.` : undefined;
    this.#update(id, { state: failures > 0 ? state : (after as 'added' | 'undone'), problem });
  }

  #update(id: number, change: Partial<Addition>): void {
    this.additions.value = this.additions.peek().map((one) => (one.id === id ? { ...one, ...change } : one));
  }
}
