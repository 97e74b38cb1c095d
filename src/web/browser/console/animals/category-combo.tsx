import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { wantedCategory } from '../data/forms/fields.ts';
import { shop } from '../session.ts';
import { type CategoryChoice, categoryChoices } from './category-choices.ts';
import { CategoryOption, MeantTag } from './category-option.tsx';

interface CategoryComboProps {
  readonly id: string;
  /** What was typed so far. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /**
   * Called when a category is chosen from the list, or a new one by Enter. Without it, choosing only completes the text, and Enter on the
   * whole name of a category submits the form around it.
   */
  readonly onChoose?: ((choice: CategoryChoice) => void) | undefined;
  readonly placeholder?: string | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly 'aria-describedby'?: string | undefined;
}

/**
 * A category, found by typing a part of its name. The first match is marked: Enter chooses it, and so does leaving the field. Escape closes
 * the list and keeps what was typed.
 */
export function CategoryCombo({ id, text, onText, onChoose, ...described }: CategoryComboProps): JSX.Element {
  const isOpen = useSignal(false);
  const marked = useSignal(0);
  // Until something is typed, every category is offered, and not only the present one.
  const isTyped = useSignal(false);
  const choices = isOpen.value ? categoryChoices(shop().categories, isTyped.value ? text : '') : [];
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));

  const open = (at: number) => {
    isOpen.value = true;
    marked.value = at;
  };
  const close = () => {
    isOpen.value = false;
    isTyped.value = false;
  };
  const complete = (choice: CategoryChoice) => {
    onText(choice.name);
    close();
  };
  const choose = (choice: CategoryChoice) => {
    complete(choice);
    onChoose?.(choice);
  };
  const type = (event: Event) => {
    isTyped.value = true;
    open(0);
    onText((event.target as HTMLInputElement).value);
  };
  const present = () => {
    const wanted = wantedCategory(shop().categories, text);
    const all = categoryChoices(shop().categories, '');
    return all.findIndex((one) => one.kind === 'known' && wanted.kind === 'known' && one.id === wanted.id);
  };
  const choice = choices[marked.value];
  const step = (by: 1 | -1) => {
    if (!isOpen.value) return open(present());
    const count = choices.length;
    if (count > 0) marked.value = (Math.max(marked.value, by === 1 ? -1 : 0) + by + count) % count;
  };
  const confirm = (event: KeyboardEvent) => {
    if (!choice) return;
    // The whole name needs no choice: Enter goes on to the form.
    const isWhole = choice.kind === 'known' && choice.name === text;
    if (onChoose || !isWhole) event.preventDefault();
    choose(choice);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') confirm(event);
    else if (event.key === 'Escape' && isOpen.value) {
      event.preventDefault();
      close();
    }
  };
  // What was typed in part means the category that is marked; a new one is only meant by its whole name, which stays as it is.
  const leave = () => {
    if (isTyped.value && text.trim() !== '' && choice?.kind === 'known') complete(choice);
    else close();
  };
  return (
    <div class="combo">
      <MeantTag text={text} />
      <input
        {...described}
        id={id}
        class="input"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-options`}
        aria-activedescendant={choice ? `${id}-option-${marked.value}` : undefined}
        dir="auto"
        autocomplete="off"
        placeholder={described.placeholder ?? 'Name of a category'}
        value={text}
        onInput={type}
        onKeyDown={press}
        onClick={() => !isOpen.value && open(present())}
        onBlur={leave}
      />
      <div
        ref={list}
        id={`${id}-options`}
        class="options"
        role="listbox"
        aria-label="Categories"
        hidden={choices.length === 0}
        // The field keeps the focus.
        onMouseDown={(event: MouseEvent) => event.preventDefault()}
      >
        {choices.map((one, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the marked option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={one.kind === 'known' ? `${one.id}` : 'new'}
            id={`${id}-option-${index}`}
            class={`option ${one.kind === 'new' ? 'new' : ''}`}
            role="option"
            aria-selected={index === marked.value}
            onClick={() => choose(one)}
          >
            <CategoryOption choice={one} isMarked={index === marked.value} />
          </div>
        ))}
      </div>
    </div>
  );
}
