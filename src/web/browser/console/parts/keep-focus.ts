/**
 * To be called when the pressed button is about to go: the focus moves to the link of its row, or to the panel around it, so that the
 * keyboard goes on from there instead of from the beginning of the page.
 */
export function keepFocus({ currentTarget: pressed }: Pick<Event, 'currentTarget'>): void {
  if (!(pressed instanceof HTMLElement) || pressed !== document.activeElement) return;
  const near =
    pressed.closest('.row')?.querySelector<HTMLElement>('.row-name') ??
    pressed.closest<HTMLElement>('.panel');
  near?.focus({ preventScroll: true });
}
