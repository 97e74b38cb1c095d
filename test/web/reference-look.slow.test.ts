import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { violations } from './support/axe.ts';
import { inReference, send, tryForm } from './support/reference.ts';

const viewport = { width: 1280, height: 800 };

const isInView = async (one: Locator): Promise<boolean> => {
  const { y = -1, height = 0 } = (await one.boundingBox()) ?? {};
  return y >= 0 && y + height <= viewport.height;
};

/** What scrolls on its own, or has more in it than it shows, within call and answer. */
const SCROLLERS = `[...document.querySelectorAll('.machine, .machine *')]
  .filter((one) => one.checkVisibility() && !one.matches('input, select, svg *'))
  .filter((one) => /auto|scroll|hidden/.test(getComputedStyle(one).overflow))
  .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** What is too small for a thumb. */
const SMALL = `[...document.querySelectorAll('button, summary, input, textarea, .toc li a')]
  .filter((one) => one.checkVisibility() && (one.closest('.search') ?? one).getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML.slice(0, 120))`;
/** One of each kind of thing: axe-core takes a minute for all of them. */
const PARTS = ['.toc', '#errors', '#listPets .machine', '#createPet .machine', '#getPet', '#schema-Pet'];

/** Rules about the page as a whole: they need all of it, and little time. */
const WHOLE = ['landmark-unique', 'landmark-one-main', 'duplicate-id-aria', 'page-has-heading-one'];

// Only colours differ between the themes, and only the layout between the widths.
const LOOKS = [
  { colorScheme: 'light', width: 1280, rules: {} },
  { colorScheme: 'light', width: 320, rules: {} },
  { colorScheme: 'dark', width: 1280, rules: { runOnly: ['color-contrast'] } },
  { colorScheme: 'dark', width: 390, rules: { runOnly: ['color-contrast'] } },
] as const;

describe('The look of the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const { colorScheme, width, rules } of LOOKS) {
    const look = { colorScheme, viewport: { width, height: 860 } };
    inReference(`axe-core finds nothing, ${colorScheme}, ${width} pixels`, look, async (page) => {
      const list = await tryForm(page, 'listPets', 'unknown');
      await send(list);
      await list.locator('.answer').getByText('401 Unauthorized').waitFor();
      const create = await tryForm(page, 'createPet');
      await create.getByRole('button', { name: 'Try it' }).click();
      await create.getByText('Fill in the body first.').waitFor();
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      assert.deepEqual(await violations(page, { runOnly: WHOLE }), []);
      assert.deepEqual(await violations(page, rules, PARTS), []);
      await page.getByLabel('Filter the contents').fill('zebra');
      await create.getByRole('button', { name: 'Use the example' }).click();
      await create.getByRole('button', { name: 'Try it' }).click();
      await create.getByRole('button', { name: 'Send: this changes' }).waitFor();
      assert.deepEqual(await violations(page, rules, ['.toc', '#createPet .try']), []);
    });
  }

  inReference('nothing is too wide, too small, or scrolls', { viewport }, async (page, service) => {
    const pets = Array.from({ length: 60 }, (_, number) => ({ name: `Animal ${number}`, categoryId: 7 }));
    await service.call('POST', '/v1/pets/batch', { body: { pets } });
    await tryForm(page, 'createPet');
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('limit').fill('60');
    await send(list);
    // An answer that is higher than the window is shown from its beginning.
    await list.getByText('200 OK').waitFor();
    await eventuallyEqual(() => isInView(list.getByText('200 OK')), true);
    await list.getByText(/\d headers/).click();
    for (const width of [320, 768, 801, 1280, 2560, 390]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      assert.deepEqual(await page.evaluate(SCROLLERS), []);
    }
    assert.deepEqual(await page.evaluate(SMALL), []);
  });

  inReference('call, answer and form stay in view', { id: 'listEvents', viewport }, async (page) => {
    const snippet = page.getByLabel('listEvents as curl', { exact: true });
    await page.evaluate('scrollBy({ top: 400, behavior: "instant" })');
    await eventuallyEqual(() => isInView(snippet), true);
    await page.locator('#listEvents').getByRole('button', { name: 'Try it' }).click();
    const form = page.getByRole('form', { name: 'Try listEvents' });
    await eventuallyEqual(() => isInView(form.getByRole('button', { name: 'Try it' })), true);
    assert.equal(await page.evaluate('document.activeElement.type'), 'password');
  });

  const dark = { id: '%', viewport, colorScheme: 'dark' } as const;
  inReference('the contents mark where one is, and are filtered', dark, async (page) => {
    const current = page.locator('.toc [aria-current]');
    await page.locator('#getPet').getByRole('link', { name: 'GET /pets', exact: true }).first().click();
    await eventuallyEqual(() => current.innerText(), 'List animals\nGET');
    await page.evaluate(`location.hash = 'listOrders.completedBefore'`);
    await eventuallyEqual(() => current.innerText(), 'List orders\nGET');
    await eventuallyEqual(() => isInView(current), true);
    // Otherwise Firefox draws a white scrollbar.
    const colors = await page.evaluate(`getComputedStyle(document.querySelector('.toc')).scrollbarColor`);
    assert.equal(colors, 'rgb(116, 128, 122) rgb(16, 20, 19)');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    assert.equal(await page.locator('[tabindex="0"]').count(), 0, 'nothing but controls gets the focus');
    // The filter: / focuses, Enter leads to what was found, Esc clears.
    const links = page.locator('.toc li a');
    const all = await links.count();
    await page.keyboard.press('/');
    await page.keyboard.type('Rename a CATEGORY');
    await eventuallyEqual(() => links.allInnerTexts(), ['Name or rename a category\nPUT']);
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => isInView(page.locator('#setCategory-title')), true);
    await page.keyboard.press('/');
    await page.keyboard.type('zebra (crossing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await eventuallyEqual(() => links.count(), all);
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
  });
});
