import { signal } from '@preact/signals';
import { randomId } from '../../../../client/call.ts';
import type { Category } from '../../../../client/index.ts';
import { type Action, act } from './act.ts';
import { type Correction, correct, stateOf } from './actions.ts';
import { statusOf } from './api.ts';
import { type Animal, animalFrom, isEqual } from './cache.ts';
import type { Categories } from './categories.ts';
import { createCategory } from './category-actions.ts';
import { sentenceWith } from './several.ts';
import type { Shop } from './shop.ts';
import { counted, isInt64, short } from './text.ts';

/** The most that the service adds in one request. */
const MOST_AT_ONCE = 100;
const MAX_NAME = 1000;
const DIGITS = /^-?\d+$/;

/** The fields of an animal as they are typed. */
interface Fields {
  readonly name: string;
  /** The name of a category, or its number. */
  readonly category: string;
}

/** What to fix, by field. */
type Problems = Partial<Record<keyof Fields | 'count', string>>;

/** The category that a text means: one that exists, one to be created, or a number without a name. */
type WantedCategory =
  | { readonly kind: 'known'; readonly id: bigint; readonly category: Category }
  | { readonly kind: 'unnamed'; readonly id: bigint }
  | { readonly kind: 'new'; readonly name: string }
  | { readonly kind: 'invalid' };

/** A name as it is stored: several spaces look like one, and become one. */
export const tidyName = (name: string): string => name.trim().replace(/\s+/g, ' ');

/** A name takes precedence over a number. It has to match as a whole: a part of a name is a new name. */
export function wantedCategory(categories: Categories, text: string): WantedCategory {
  const tidy = tidyName(text);
  const known = categories.called(tidy);
  if (known) return { kind: 'known', id: known.id, category: known };
  if (!DIGITS.test(tidy)) return tidy === '' ? { kind: 'invalid' } : { kind: 'new', name: tidy };
  const id = BigInt(tidy);
  return isInt64(id) ? { kind: 'unnamed', id } : { kind: 'invalid' };
}

/** Why a name cannot be stored. */
export function problemWithName(name: string): string | undefined {
  const length = [...tidyName(name)].length;
  if (length === 0) return 'Enter a name.';
  return length > MAX_NAME ? `A name has at most 1,000 characters. This one has ${length}.` : undefined;
}

/** Finds what is wrong without asking. Everything else is for the service to decide. */
export function problemsWith({ name, category }: Fields, wanted: WantedCategory): Problems {
  const problem = problemWithName(name);
  const isEmpty = category.trim() === '';
  return {
    ...(problem !== undefined && { name: problem }),
    ...(wanted.kind === 'invalid' && {
      category: isEmpty ? 'Choose a category.' : 'This number is out of range.',
    }),
  };
}

/** The id of the category that was typed. A new one is created first. */
export async function idOf(shop: Shop, wanted: WantedCategory, key?: string): Promise<bigint> {
  if (wanted.kind === 'new') return (await createCategory(shop, wanted.name, key)).id;
  if (wanted.kind === 'invalid') throw new Error('A category that cannot be meant was sent.');
  return wanted.id;
}

/** The names of a litter: `Kitten 1` to `Kitten 12`. One animal has the name as it is. */
const litterNames = (name: string, count: number): readonly string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

/** Adds animals. Each entry is sent at once with a key of its own, and the name is free for the next one. */
export class AddForm {
  readonly #shop: Shop;
  readonly fields = signal<Fields>({ name: '', category: '' });
  /** How many animals to add. Several animals get numbers after the name. */
  readonly count = signal('1');
  readonly problems = signal<Problems>({});
  #last = 0;
  /** The new category that is being created. Two entries in quick succession create it only once. */
  #creating: { readonly name: string; readonly id: Promise<bigint> } | undefined;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Whether something was typed that was not sent. */
  get isTouched(): boolean {
    return tidyName(this.fields.value.name) !== '';
  }

  edit(change: Partial<Fields>): void {
    this.fields.value = { ...this.fields.peek(), ...change };
    this.problems.value = {};
  }

  /** Empties the form except for the category, which is often the same next time. */
  clear(): void {
    this.edit({ name: '' });
    this.count.value = '1';
  }

  /** Sends what was typed, and clears the name for the next one. False if something has to be fixed first. */
  submit(): boolean {
    const fields = this.fields.peek();
    const count = Number(this.count.peek());
    const isCount = /^\d+$/.test(this.count.peek().trim()) && count >= 1 && count <= MOST_AT_ONCE;
    const wanted = wantedCategory(this.#shop.categories, fields.category);
    this.problems.value = {
      ...problemsWith(fields, wanted),
      ...(!isCount && { count: `From 1 to ${MOST_AT_ONCE}.` }),
    };
    if (Object.keys(this.problems.peek()).length > 0) return false;
    this.clear();
    void this.#send(fields, `${count}`, wanted);
    return true;
  }

  async #send(fields: Fields, count: string, wanted: WantedCategory): Promise<void> {
    const shop = this.#shop;
    const names = litterNames(tidyName(fields.name), Number(count));
    const what = names.length === 1 ? short(names[0] ?? '') : counted(names.length, 'animal', 'animals');
    const categoryKey = randomId();
    const action: Action = {
      subject: `add-${++this.#last}`,
      running: `Adding ${what}…`,
      what: `adding ${what}`,
      refused: ({ message }) => {
        // Restores what was typed, unless the person has typed something else meanwhile.
        if (!this.isTouched) {
          this.edit({ name: fields.name });
          this.count.value = count;
        }
        return `${what} not added: ${message}`;
      },
      run: async (key) => {
        const categoryId = await this.#categoryId(wanted, categoryKey);
        const pets = names.map((name) => ({ name, categoryId }));
        const added = await shop.api.write((client, options) => client.createPets(pets, options), key);
        this.#show(added.map(animalFrom));
        return {
          text: `${what} ${names.length === 1 ? 'was' : 'were'} added.`,
          undo: removeAgain(shop, added.map(animalFrom), what),
        };
      },
    };
    await act(shop, action);
  }

  #categoryId(wanted: WantedCategory, key: string): Promise<bigint> {
    if (wanted.kind !== 'new') return idOf(this.#shop, wanted);
    if (this.#creating?.name !== wanted.name) {
      const id = idOf(this.#shop, wanted, key);
      this.#creating = { name: wanted.name, id };
      // Afterwards the category is known, or has to be created again.
      const end = () => {
        if (this.#creating?.id === id) this.#creating = undefined;
      };
      id.then(end, end);
    }
    return this.#creating.id;
  }

  #show(animals: readonly Animal[]): void {
    for (const animal of animals) this.#shop.cache.animals.change(animal);
    const ids = animals.map(({ id }) => id).reverse();
    this.#shop.added.value = [...ids, ...this.#shop.added.peek()];
  }
}

/** Undoes an entry: removes its animals, except for those that have changed since. */
const removeAgain = (shop: Shop, animals: readonly Animal[], what: string): Action => ({
  subject: `animal-${animals[0]?.id ?? 0n}`,
  running: 'Undoing…',
  what: `undoing the adding of ${what}`,
  refused: ({ message }) => `Not undone: ${message}`,
  run: async (key) => {
    const kept: string[] = [];
    for (const [index, animal] of animals.entries())
      if (!(await removeUnchanged(shop, animal, `${key}-${index}`))) kept.push(stateOf(shop, animal));
    const removed = animals.length - kept.length;
    if (removed === 0) return { text: sentenceWith('Not undone:', kept) };
    const these = removed === animals.length ? what : counted(removed, 'animal', 'animals');
    return { text: sentenceWith(`Undone: ${these} ${removed === 1 ? 'was' : 'were'} removed again.`, kept) };
  },
});

/** False if the animal has changed since it was added. */
async function removeUnchanged({ api, cache }: Shop, animal: Animal, key: string): Promise<boolean> {
  const { id } = animal;
  const reason = 'Added by mistake';
  try {
    const asked = cache.sequence.next();
    const pet = await api.read((client, options) => client.updatePet(id, {}, options));
    cache.animals.receive([animalFrom(pet)], asked);
    if (!isEqual(animalFrom(pet), animal)) return false;
    await api.write(
      (client, options) => client.removePet(id, { ...options, ifMatch: pet.etag, reason }),
      key,
    );
  } catch (error) {
    if (statusOf(error) === 412) return false;
    // The animal is removed already.
    if (statusOf(error) !== 404) throw error;
  }
  cache.animals.change({ ...animal, removed: { at: new Date().toISOString(), reason } });
  return true;
}

/** Changes the name and the category of an animal. Only what the person has touched is sent, and only if it has not changed meanwhile. */
export class EditForm {
  readonly #shop: Shop;
  readonly id: bigint;
  readonly fields = signal<Fields>({ name: '', category: '' });
  readonly problems = signal<Problems>({});
  /** The animal that the person has seen, and what the fields were filled with: a category may be renamed meanwhile. */
  #seen: Animal;
  #shown: Fields;
  #etag: Promise<string | undefined>;
  /** How often the person has typed something. The answer to a read also changes the fields, but does not count. */
  #edits = 0;

  constructor(shop: Shop, animal: Animal) {
    this.#shop = shop;
    this.id = animal.id;
    this.#seen = animal;
    this.#shown = this.#fieldsOf(animal);
    this.fields.value = this.#shown;
    this.#etag = this.#read();
    this.#etag.catch(() => {});
  }

  #fieldsOf({ name, categoryId }: Animal): Fields {
    return { name, category: this.#shop.categories.nameOf(categoryId) ?? `${categoryId}` };
  }

  /** Reads the animal by a change without fields, the only read with an etag that is not deprecated. Fills in the untouched fields. */
  async #read(): Promise<string | undefined> {
    const { api, cache } = this.#shop;
    const asked = cache.sequence.next();
    const pet = await api.read((client, options) => client.updatePet(this.id, {}, options));
    cache.animals.receive([animalFrom(pet)], asked);
    const [before, after] = [this.#shown, this.#fieldsOf(pet)];
    const { name, category } = this.fields.peek();
    this.#seen = animalFrom(pet);
    this.#shown = after;
    this.fields.value = {
      name: name === before.name ? after.name : name,
      category: category === before.category ? after.category : category,
    };
    return pet.etag;
  }

  /** Whether anything was typed that is not saved. */
  get isTouched(): boolean {
    const { name, category } = this.#shown;
    return this.fields.value.name !== name || this.fields.value.category !== category;
  }

  edit(change: Partial<Fields>): void {
    this.#edits++;
    this.fields.value = { ...this.fields.peek(), ...change };
    this.problems.value = {};
  }

  /** Whether everything that was typed is saved, so that the form can be closed. */
  async save(): Promise<boolean> {
    const shop = this.#shop;
    const edits = this.#edits;
    const fields = this.fields.peek();
    const shown = this.#shown;
    const wanted = wantedCategory(shop.categories, fields.category);
    this.problems.value = problemsWith(fields, wanted);
    if (Object.keys(this.problems.peek()).length > 0) return false;
    // "Try again" sends the same change, whatever was read meanwhile.
    let change: Action | undefined;
    const result = await act(shop, {
      ...correct(shop, this.#seen, {}),
      run: async (key) => {
        change ??= await this.#change(fields, shown, wanted);
        return change?.run(key) ?? { text: `Nothing to change in ${short(shown.name)}.` };
      },
    });
    if (result?.isDone && this.#edits === edits) return true;
    // The next attempt replaces what this reads.
    this.#etag = this.#read();
    this.#etag.catch(() => {});
    return false;
  }

  /** The change of the touched fields; undefined if the animal is already like that. */
  async #change(fields: Fields, shown: Fields, wanted: WantedCategory): Promise<Action | undefined> {
    const etag = await this.#etag;
    const seen = this.#seen;
    const name = fields.name === shown.name ? seen.name : tidyName(fields.name);
    const isMoved = fields.category !== shown.category;
    const categoryId = isMoved ? await idOf(this.#shop, wanted) : seen.categoryId;
    const change: Correction = {
      ...(name !== seen.name && { name }),
      ...(categoryId !== seen.categoryId && { categoryId }),
    };
    return Object.keys(change).length === 0 ? undefined : correct(this.#shop, seen, change, { etag });
  }
}
