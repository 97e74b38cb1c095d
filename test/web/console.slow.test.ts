import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';

const { button, counts, inConsole, names, order, search, tab } = ui;
const SOLD = { name: 'Sold one', categoryId: 7, status: 'sold' };

describe('The inventory console', { concurrency: 2 }, () => {
  after(closeBrowser);

  inConsole('rejects a wrong key, and forgets a good one', { animals: ['Rex'] }, async ({ page }) => {
    await ui.signOut(page);
    assert.equal(await page.getByLabel('API key').inputValue(), '');
    assert.equal(await page.locator('.row').count(), 0, 'nothing of the store stays on the page');
    await button(page, 'Sign in').click();
    await page.getByText('Enter your API key.').waitFor();
    await page.getByLabel('API key').fill('anst_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not accepted.').waitFor();
    // Password managers understand the form.
    const fields = page.locator('form input:not([type=checkbox])');
    assert.deepEqual(
      await fields.evaluateAll((found) => found.map((one) => one.getAttribute('autocomplete'))),
      ['username', 'current-password'],
    );
  });

  const four = { animals: ['Rex', 'Luna', 'Milo', SOLD], prepare: (service: Service) => order(service, 1) };
  inConsole('counts on the tabs, over a line whose parts differ without colours', four, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['2', '1', '1', '4']);
    const parts = await page.evaluate(
      `[...document.querySelectorAll('.share i')].map((part) => [part.className, Math.round(part.clientWidth / part.parentElement.clientWidth * 4), getComputedStyle(part).backgroundImage.split('(')[0]])`,
    );
    assert.deepEqual(parts, [
      ['available', 2, 'none'],
      ['reserved', 1, 'repeating-linear-gradient'],
      ['sold', 1, 'radial-gradient'],
    ]);
    for (const [name, shown] of [
      ['Available', ['Milo', 'Luna']],
      ['Reserved', ['Rex']],
      ['Sold', ['Sold one']],
      ['All', ['Sold one', 'Milo', 'Luna', 'Rex']],
      ['Removed', []],
    ] as const) {
      await tab(page, name).click();
      await eventuallyEqual(() => names(page), [...shown]);
      assert.equal(await page.locator('.tabs [aria-current]').count(), 1);
    }
    assert.match(page.url(), /#\/animals\?status=removed$/);
  });

  const lu = { animals: ['Rex', 'Luna', 'Ludwig', 'lu', 'Zulú', { ...SOLD, name: 'Lucky & Co' }] };
  inConsole('searches as one types, among all, in an address to share', lu, async ({ page }) => {
    await eventuallyEqual(async () => (await counts(page)).length, 4);
    await search(page).pressSequentially('LU');
    await eventuallyEqual(() => names(page), ['lu', 'Lucky & Co', 'Ludwig', 'Luna', 'Zulú']);
    assert.deepEqual(await counts(page), [], 'nothing counts what was found');
    assert.equal(await page.locator('.share i').count(), 0);
    assert.equal(await tab(page, 'All').getAttribute('aria-current'), 'true');
    await tab(page, 'Sold').click();
    await eventuallyEqual(() => names(page), ['Lucky & Co']);
    await search(page).fill('Lucky & C');
    await eventuallyEqual(async () => page.url().split('#')[1], '/animals?status=sold&name=Lucky+%26+C');
    await page.reload();
    await signIn(page);
    await eventuallyEqual(() => names(page), ['Lucky & Co']);
    assert.equal(await search(page).inputValue(), 'Lucky & C');
    await tab(page, 'All').click();
    // By its id.
    await search(page).fill('1');
    await eventuallyEqual(() => names(page), ['Rex']);
    await ui.place(page, 'Orders').click();
    await page.goBack();
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await search(page).inputValue(), '1');
    await search(page).fill('betta max');
    await page.getByRole('heading', { name: /^No animal is called .*betta max/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(async () => (await names(page)).length, 5);
    assert.equal(await search(page).inputValue(), '');
    assert.equal(await tab(page, 'Available').getAttribute('aria-current'), 'true', 'where it began');
    assert.deepEqual(await counts(page), ['5', '0', '1', '6']);
  });

  const cats = {
    animals: ['Rex', SOLD, ...ui.animalNames(60).map((name) => ({ name, categoryId: 8 }))],
    categories: { 7: 'Dogs', 8: 'Cats' },
  };
  inConsole('a category is a chip in the search; tabs, line and end count it', cats, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
    await ui.row(page, 'Animal 60').locator('.cells a').click();
    await eventuallyEqual(() => counts(page), ['60', '0', '0', '60']);
    await eventuallyEqual(async () => page.url().split('#')[1], '/animals?category=8');
    await page.getByText('50 of 60 – ').waitFor();
    assert.equal(await page.locator('.share i:visible').count(), 1);
    assert.equal(await search(page).getAttribute('placeholder'), 'Search in \u2068Cats\u2069');
    await search(page).fill('rex');
    await page.getByRole('heading', { name: /^No animal in .*Cats.* is called .*rex/ }).waitFor();
    await search(page).fill('');
    await button(page, 'All categories').click();
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
    // A suggestion of the browser is no typing; a name that is typed is searched for.
    await search(page).fill('Dogs');
    await page.getByRole('heading', { name: /^No animal is called .*Dogs/ }).waitFor();
    await search(page).evaluate((one: { value: string } & EventTarget) => {
      one.value = 'dogs';
      one.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await search(page).inputValue(), '');
    await eventuallyEqual(() => counts(page), ['1', '0', '1', '2']);
    await page.goBack();
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
  });

  const odd = [
    '<img src=x onerror="document.title=1">',
    'A\u2069\u202Eb\u2066',
    'كلب \u202Eabc',
    'W'.repeat(1000),
    '🐕‍🦺👩‍👩‍👧‍👦',
  ];
  const narrow = { animals: odd, viewport: { width: 360, height: 740 } };
  inConsole('shows odd names as text, and keeps its layout at 360 pixels', narrow, async (opened) => {
    const { page } = opened;
    // A list cuts what is too wide for it: the page is no wider then, but a name is.
    const wide = () =>
      page.evaluate(`Math.max(document.documentElement.scrollWidth,
        ...[...document.querySelectorAll('bdi')].map((one) => one.getBoundingClientRect().right))`);
    await eventuallyEqual(() => names(page), odd.toReversed());
    await ui.clickFor(button(page, 'Reserve \u2068Ab\u2069'), 'Ab is reserved.');
    const sentence = await page.locator('.message > span').innerText();
    assert.equal(sentence, '\u2068Ab\u2069 is reserved.', 'no name changes the direction of its sentence');
    for (const name of odd.slice(1)) {
      await ui.reserveButton(page, '').last().click();
      await ui.refresh(opened);
      assert.equal(await wide(), 360, name);
    }
    await ui.link(page, 'W'.repeat(1000)).click();
    const heading = page.getByRole('dialog').getByRole('heading', { level: 2 });
    await eventuallyEqual(() => heading.innerText(), 'W'.repeat(1000));
    assert.equal(await wide(), 360);
    assert.equal(await page.locator('img').count(), 0);
  });
});
