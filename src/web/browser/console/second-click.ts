/** The usual time of a double click. If the person has set a longer one, the browser's count of clicks decides. */
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
 * Ignores the second click of a double click if it would press something else than the first one: a click can open a panel, close it or
 * replace its buttons, and the person did not mean what is under the pointer then. The second click does not submit a form either, because
 * the form may ask something that was not read yet, and it does not move the focus. Forms themselves send one request at a time.
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
  // The click comes from the keyboard, or from a label for its field.
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

/** Otherwise the browser would move the focus to what is under the pointer now. A double click on a text still selects a word. */
function keepFocus(event: MouseEvent): void {
  const { detail, clientX, clientY } = event;
  if (detail > 1 && last?.label !== undefined && isNear(last, clientX, clientY)) event.preventDefault();
}

const isNear = (press: Press, x: number, y: number): boolean =>
  Math.abs(press.x - x) <= NEAR_PX && Math.abs(press.y - y) <= NEAR_PX;

const isSubmit = (control: HTMLElement): boolean =>
  control instanceof HTMLButtonElement && control.type === 'submit';
