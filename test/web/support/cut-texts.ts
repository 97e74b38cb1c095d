import type { Page } from 'playwright-core';

const CUT = `[...document.querySelectorAll('body, body *')].flatMap((one) => {
  if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.only-heard, .skip, script')) return [];
  const range = document.createRange();
  const isBeside = [...one.childNodes].filter((node) => node.nodeType === 3).some((text) => {
    range.selectNode(text);
    const { left, right } = range.getBoundingClientRect();
    return left < 0 || right > innerWidth;
  });
  const isCut = one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible';
  return isBeside || (isCut && !one.matches('input')) ? [one.outerHTML.slice(0, 160)] : [];
})`;

/** What is cut, scrolls sideways, or lies beside the page. */
export const cutTexts = (page: Page): Promise<string[]> => page.evaluate(CUT);
