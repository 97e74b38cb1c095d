import { signal } from '@preact/signals';
import { createOrFindCategory } from '../actions/categories.ts';
import { type Correction, correctWithUndo } from '../actions/corrections.ts';
import type { Animal } from '../cache/animal.ts';
import type { Shop } from '../shop.ts';
import {
  type Fields,
  type Problems,
  problemsFrom,
  problemsWith,
  tidyName,
  wantedCategory,
} from './fields.ts';

/** The fields that were changed. */
type Touched = Partial<Pick<Animal, 'name' | 'categoryId'>>;

/**
 * Changes an animal. Only the fields that the person has touched are sent, and only where they differ from what the form was opened with:
 * whatever someone else changes meanwhile stays.
 */
export class EditForm {
  readonly #shop: Shop;
  readonly id: bigint;
  readonly fields = signal<Fields>({ name: '', category: '' });
  readonly problems = signal<Problems>({});
  readonly isSaving = signal(false);
  /** Someone else has given a field that was touched here another value: the animal as it is now. */
  readonly conflict = signal<Animal | undefined>(undefined);
  /** The animal on which the changes are based. */
  #opened: Animal;
  /** What its values look like in the fields. A category that is renamed meanwhile is not touched by that. */
  #openedFields: Fields;

  constructor(shop: Shop, animal: Animal) {
    this.#shop = shop;
    this.id = animal.id;
    this.#opened = animal;
    this.#openedFields = this.#fieldsOf(animal);
    this.fields.value = this.#openedFields;
  }

  #fieldsOf({ name, categoryId }: Animal): Fields {
    return { name, category: this.#shop.categories.nameOf(categoryId) ?? `${categoryId}` };
  }

  /** Whether anything was typed that is not saved. */
  get isTouched(): boolean {
    const { name, category } = this.#openedFields;
    return this.fields.value.name !== name || this.fields.value.category !== category;
  }

  edit(change: Partial<Fields>): void {
    this.fields.value = { ...this.fields.peek(), ...change };
    this.problems.value = {};
  }

  /** Whether everything that was typed is saved, so that the form can be closed. */
  async save(): Promise<boolean> {
    if (this.isSaving.peek()) return false;
    const sent = this.fields.peek();
    this.problems.value = problemsWith(sent, wantedCategory(this.#shop.categories, sent.category));
    if (Object.keys(this.problems.peek()).length > 0) return false;
    this.isSaving.value = true;
    try {
      return await this.#send(sent);
    } catch (error) {
      this.problems.value = problemsFrom(error, 'nothing is overwritten that you have not seen');
      return false;
    } finally {
      this.isSaving.value = false;
    }
  }

  async #send(sent: Fields): Promise<boolean> {
    const change = await this.#touched(sent);
    const { name, categoryId } = this.#opened;
    const before: Correction = {
      ...(change.name !== undefined && { name }),
      ...(change.categoryId !== undefined && { categoryId }),
    };
    const isEmpty = Object.keys(change).length === 0;
    const now = isEmpty ? undefined : await correctWithUndo(this.#shop, this.#opened, before, change);
    // What was typed meanwhile is not saved yet.
    const isAll = this.fields.peek() === sent;
    this.conflict.value = now;
    // What was seen now is what the next attempt replaces.
    this.#base(now ?? { ...this.#opened, ...change });
    if (now || !isAll) return false;
    this.fields.value = this.#openedFields;
    return true;
  }

  /** Goes on from these values: a field that was not touched shows them. */
  #base(animal: Animal): void {
    const [before, after] = [this.#openedFields, this.#fieldsOf(animal)];
    const { name, category } = this.fields.peek();
    this.#opened = animal;
    this.#openedFields = after;
    this.fields.value = {
      name: name === before.name ? after.name : name,
      category: category === before.category ? after.category : category,
    };
  }

  async #touched({ name, category }: Fields): Promise<Touched> {
    const opened = this.#openedFields;
    const wanted = wantedCategory(this.#shop.categories, category);
    const isMoved = category !== opened.category && wanted.kind !== 'invalid';
    const target =
      wanted.kind === 'new' && isMoved ? await createOrFindCategory(this.#shop, wanted.name) : wanted;
    const categoryId = isMoved && 'id' in target ? target.id : this.#opened.categoryId;
    return {
      ...(name !== opened.name && tidyName(name) !== opened.name && { name: tidyName(name) }),
      ...(categoryId !== this.#opened.categoryId && { categoryId }),
    };
  }
}
