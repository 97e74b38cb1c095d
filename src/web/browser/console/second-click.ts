/** As long as a double click takes. Of a slower one, which a person may have set, the browser counts the clicks. */
const TOGETHER_MS = 500;
/** A hand is not perfectly still. */
const NEAR_PX = 6;

interface Press {
  readonly label: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

let last: Press | undefined;

/**
 * Ignores the second half of a double click where it would press something else than the first half: a click can open a panel, close it or
 * replace its buttons, and the person did not mean what is under the pointer then. It does not submit a form either: the form may ask
 * something that nobody has read yet. Nor does it move the focus: a row that it lies on was not chosen. That a form sends one request at a
 * time is the form's own business.
 */
export function ignoreSecondClicks(): void {
  addEventListener('click', pressed, { capture: true });
  addEventListener('mousedown', keepFocus, { capture: true });
  // After typing or moving the pointer, a click is a new one.
  addEventListener('input', forget, { capture: true });
  addEventListener('pointermove', ({ clientX, clientY }) => {
    if (last && !isNear(last, clientX, clientY)) forget();
  });
}

const forget = (): void => {
  last = undefined;
};

function pressed(event: MouseEvent): void {
  const { detail, clientX: x, clientY: y, timeStamp: at, target } = event;
  // By keyboard, or by a label for its field.
  if (detail === 0 || !(target instanceof Element)) return;
  const control = target.closest<HTMLElement>('a, button, summary');
  const label = control ? (control.ariaLabel ?? control.textContent) : undefined;
  const isSecond = last && isNear(last, x, y) && (detail > 1 || at - last.at < TOGETHER_MS);
  if (!isSecond) last = { label, x, y, at };
  else if (control && (label !== last?.label || (detail > 1 && isSubmit(control)))) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The browser would give the focus to what lies there now, or take it away. A double click on a text still selects a word. */
function keepFocus(event: MouseEvent): void {
  const { detail, clientX, clientY } = event;
  if (detail > 1 && last?.label !== undefined && isNear(last, clientX, clientY)) event.preventDefault();
}

const isNear = (press: Press, x: number, y: number): boolean =>
  Math.abs(press.x - x) <= NEAR_PX && Math.abs(press.y - y) <= NEAR_PX;

const isSubmit = (control: HTMLElement): boolean =>
  control instanceof HTMLButtonElement && control.type === 'submit';
