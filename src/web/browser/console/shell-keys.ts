import { openAddForm } from './opening.ts';
import { areShortcutsOpen } from './parts/shortcuts.tsx';
import { may, sessions } from './session.ts';

/** `N` adds an animal and `?` shows what the keyboard does, from everywhere but a field or a question that waits for an answer. */
export function startShellKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !sessions.current.peek())
      return;
    if (target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')) return;
    if (document.querySelector('dialog[open]')) return;
    if (key === '?') areShortcutsOpen.value = true;
    else if (key.toLowerCase() === 'n' && may('pets:write')) openAddForm();
    else return;
    event.preventDefault();
  });
}
