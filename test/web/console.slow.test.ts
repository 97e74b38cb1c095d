import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAnimals,
  button,
  counts,
  link,
  message,
  names,
  openConsole,
  order,
  place,
  refresh,
  row,
  search,
  signOut,
  tab,
} from './support/console.ts';

const SOLD = { name: 'Sold one', categoryId: 7, status: 'sold' };
const categories = async (service: Service) => {
  for (const [id, name] of [
    [7, 'Dogs'],
    [8, 'Cats'],
  ] as const)
    await service.call('PUT', `/v1/categories/${id}`, { body: { name } });
};

describe('The inventory console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('rejects a wrong key, forgets a good one on sign-out, and is a form that password managers understand', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    assert.equal(await page.title(), 'Animals · Animal Store');
    await signOut(page);
    assert.equal(await page.getByLabel('API key').inputValue(), '');
    assert.equal(await page.locator('.row').count(), 0, 'nothing of the store stays on the page');
    await button(page, 'Sign in').click();
    await page.getByText('Enter your API key.').waitFor();
    await page.getByLabel('API key').fill('anst_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not accepted.').waitFor();
    const fields = page.locator('form input:not([type=checkbox])');
    assert.deepEqual(
      await fields.evaluateAll((found) => found.map((one) => one.getAttribute('autocomplete'))),
      ['username', 'current-password'],
    );
  });

  it('counts the animals on the tabs, over a line whose parts differ without their colours', async (t) => {
    const prepare = (service: Service) => order(service, 1);
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'Milo', SOLD], { prepare })) ?? {};
    if (!page) return;
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

  it('searches as a person types, among all, the whole name first, in an address that can be shared', async (t) => {
    const given = ['Rex', 'Luna', 'Ludwig', 'lu', 'Zulú', { ...SOLD, name: 'Lucky & Co' }];
    const { page } = (await openConsole(t, given)) ?? {};
    if (!page) return;
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
    await search(page).fill('betta max');
    await page.getByRole('heading', { name: /^No animal is called .*betta max/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(async () => (await names(page)).length, 5);
    assert.equal(await search(page).inputValue(), '');
    assert.equal(await tab(page, 'Available').getAttribute('aria-current'), 'true', 'where it began');
    assert.deepEqual(await counts(page), ['5', '0', '1', '6']);
  });

  it('finds the words of a name in any order, and an id', async (t) => {
    const { page } = (await openConsole(t, ['Betta Max', 'Max', 'Rex'])) ?? {};
    if (!page) return;
    await search(page).fill('max betta');
    await eventuallyEqual(() => names(page), ['Betta Max']);
    await search(page).fill('3');
    await eventuallyEqual(() => names(page), ['Rex']);
    await place(page, 'Orders').click();
    await page.goBack();
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await search(page).inputValue(), '3');
    await search(page).fill('');
    await eventuallyEqual(() => names(page), ['Rex', 'Max', 'Betta Max']);
  });

  it('a category is a chip in the search; tabs, line and end count it', async (t) => {
    const prepare = async (service: Service) => {
      await categories(service);
      const cats = Array.from({ length: 60 }, (_, index) => ({ name: `Cat ${index + 1}`, categoryId: 8 }));
      await addAnimals(service, cats);
    };
    const { page } = (await openConsole(t, ['Rex', SOLD], { prepare })) ?? {};
    if (!page) return;
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
    await row(page, 'Cat 60').locator('.cells a').click();
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

  it('says that there is nothing yet, and leads on', async (t) => {
    const { page } = (await openConsole(t)) ?? {};
    if (!page) return;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await tab(page, 'Removed').click();
    await page.getByRole('heading', { name: 'No animal is removed' }).waitFor();
    await page.getByRole('link', { name: 'Show all animals' }).click();
    await page.locator('.empty').getByRole('button', { name: 'Add animals' }).click();
    await page.getByRole('dialog', { name: 'Add animals' }).waitFor();
  });

  it('shows markup, right-to-left text, 1,000 characters and emoji as text, and keeps its layout at 360 pixels', async (t) => {
    const odd = ['<img src=x onerror="document.title=1">', 'كلب \u202Eabc', 'W'.repeat(1000), '🐕‍🦺👩‍👩‍👧‍👦'];
    const opened = await openConsole(t, odd, { viewport: { width: 360, height: 740 } });
    if (!opened) return;
    const { page } = opened;
    const shown = () => page.locator('.rows .name b').allTextContents();
    const wide = () => page.evaluate('document.documentElement.scrollWidth');
    await eventuallyEqual(shown, odd.toReversed());
    for (const name of odd) {
      await button(page, /^Reserve/)
        .last()
        .click();
      await refresh(opened);
      assert.equal(await wide(), 360, name);
    }
    await link(page, 'W'.repeat(1000)).click();
    const heading = page.getByRole('dialog').getByRole('heading', { level: 2 });
    await eventuallyEqual(() => heading.innerText(), 'W'.repeat(1000));
    assert.equal(await wide(), 360);
    assert.equal(await page.locator('img').count(), 0);
  });

  it('no name changes the direction of the sentence it is in', async (t) => {
    const { page } = (await openConsole(t, ['A\u2069\u202Eb\u2066'])) ?? {};
    if (!page) return;
    await button(page, 'Reserve \u2068Ab\u2069').click();
    await message(page, 'Ab is reserved.');
    assert.equal(await page.locator('.message > span').innerText(), '\u2068Ab\u2069 is reserved.');
  });
});
