import { signal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { Dialog } from './dialog.tsx';

/** What it does, and the keys: those of one list are pressed together, and several lists are alternatives. */
type Shortcut = readonly [what: string, ...keys: (readonly string[])[]];

const groups: Readonly<Record<string, readonly Shortcut[]>> = {
  'In the list': [
    ['Next', ['J'], ['↓']],
    ['Previous', ['K'], ['↑']],
    ['Open', ['Enter']],
    ['Select', ['X'], ['Space']],
    ['Select up to here', ['Shift', 'X']],
  ],
  'With an animal': [
    ['Sell', ['S']],
    ['Reserve', ['R']],
    ['Undo', ['U']],
  ],
  Anywhere: [
    ['Search', ['/']],
    ['Add an animal', ['N']],
    ['Close', ['Esc']],
    ['This help', ['?']],
  ],
  'With the selected ones': [
    ['Sell', ['S']],
    ['Move to…', ['M']],
    ['Clear the selection', ['Esc']],
  ],
};

export const areShortcutsOpen = signal(false);
const close = () => (areShortcutsOpen.value = false);

/** What the keyboard does in the console. */
export function Shortcuts(): JSX.Element {
  return (
    <Dialog open={areShortcutsOpen.value} labelledBy="shortcuts-title" isWide onClose={close}>
      <div class="dialog-head">
        <h2 id="shortcuts-title">Keyboard</h2>
        <button type="button" class="button plain square" aria-label="Close" onClick={close}>
          {icon('close')}
        </button>
      </div>
      <div class="shortcuts">
        {Object.entries(groups).map(([title, shortcuts]) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul>
              {shortcuts.map(([what, ...keys]) => (
                <li key={what}>
                  <span>{what}</span>
                  {keys.map((together, index) => (
                    <Fragment key={together.join()}>
                      {index > 0 ? <i>or</i> : null}
                      {together.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </Fragment>
                  ))}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
