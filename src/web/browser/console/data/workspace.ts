import { Selection } from './actions/selection.ts';
import type { Api } from './api.ts';
import type { Animal } from './cache/animal.ts';
import { AddForm } from './forms/add-form.ts';
import { EditForm } from './forms/edit-form.ts';
import { Shop } from './shop.ts';

/** The shop, with what a person has in hand: what is ticked, and what was typed and is not saved. */
export class Workspace extends Shop {
  readonly selection: Selection;
  readonly addForm: AddForm;
  readonly #edits = new Map<bigint, EditForm>();

  constructor(api: Api) {
    super(api);
    this.selection = new Selection(this);
    this.addForm = new AddForm(this);
  }

  /** The form in which an animal is changed. What was typed waits in it until it is saved or discarded. */
  editOf(animal: Animal): EditForm {
    const edit = this.#edits.get(animal.id) ?? new EditForm(this, animal);
    this.#edits.set(animal.id, edit);
    return edit;
  }

  /** Whether something was typed for an animal that is not saved. */
  hasEdit(id: bigint): boolean {
    return this.#edits.get(id)?.isTouched ?? false;
  }

  discardEdit(id: bigint): void {
    this.#edits.delete(id);
  }
}
