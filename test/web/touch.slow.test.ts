import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { startService } from '../support/service/service.ts';
import { button, row } from './support/console.ts';

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, isolated: true };
const MIN = 44;
/** Undo, and the parts of a form. */
const MIN_PART = 36;

/** What a finger cannot hit: everything to press that is too low. A link within a sentence is as high as its line. */
const tooSmall = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('a, button, input, select, summary')].flatMap((one) => {
    if (one.closest('.skip, [aria-hidden=true], p:not(.actions), .visually-hidden') || !one.checkVisibility()) return [];
    if (getComputedStyle(one).pointerEvents === 'none') return [];
    const target = one.matches('.row-name, .event-text a') ? one.closest('.row, .event') : (one.type === 'checkbox' && one.labels[0]) || one;
    const { width, height: seen } = target.getBoundingClientRect();
    // What reacts may be higher than what is drawn.
    const height = Math.max(seen, parseFloat(getComputedStyle(one, '::after').height) || 0);
    const min = one.matches('.link, input, select, summary, .with-button *, .number *, .row-note *') ? ${MIN_PART} : ${MIN};
    return width > 0 && height < min ? [one.outerHTML.slice(0, 120) + ': ' + Math.round(height)] : [];
  })`);

describe('Touch', () => {
  after(closeBrowser);

  it('every target is 44 pixels high on a phone', async (t) => {
    const service = await startService(t);
    for (const name of ['Rex', 'Luna', 'Milo']) {
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    }
    await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    const page = await openPage(t, service.origin, PHONE);
    if (!page) return;
    const check = async (what: string) => assert.deepEqual(await tooSmall(page), [], what);
    await check('the sign-in');
    await signIn(page);
    await button(page, /^Reserve .*Luna/).click();
    await page.getByText('Undo').waitFor();
    await check('the animals');
    await row(page, 'Milo').getByRole('link').click();
    await button(page, /^Sell/).and(page.locator('.panel *')).waitFor();
    await check('the panel of an animal');
    await button(page, /^Edit$/).click();
    await button(page, 'Save').waitFor();
    await check('the form to correct an animal');
    await page.goto(`${service.origin}/#/animals`);
    await button(page, /^Signed in as/).click();
    await button(page, 'Sign out').waitFor();
    await check('the menu');
    await page.keyboard.press('Escape');
    await button(page, 'Add an animal').and(page.locator(':visible')).click();
    await button(page, 'Add and next').waitFor();
    await check('the form');
    await button(page, /^Close$/).click();
    for (const view of ['orders', 'categories', 'removed', 'activity', 'keys', 'more']) {
      await page.goto(`${service.origin}/#/${view}`);
      await page.locator('.row, .event, .empty, .side, .more-places').first().waitFor();
      await check(view);
    }
  });
});
