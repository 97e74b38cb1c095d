import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { animalNames, button, link, names, openConsole, order, row, search } from './support/console.ts';

const ANIMALS = 1010;

const addMany = async (service: Service) => {
  const all = animalNames(ANIMALS).map((name) => ({ name, categoryId: 7 }));
  for (let from = 0; from < ANIMALS; from += 100)
    await service.call('POST', '/v1/pets/batch', { body: { pets: all.slice(from, from + 100) } });
};

describe('A long list', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('ends with how many of how many there are, the way to more, and a file with all', async (t) => {
    const { page } = (await openConsole(t, animalNames(60))) ?? {};
    if (!page) return;
    const end = page.locator('.end-of-list');
    await end.getByText('50 of 60 – ').waitFor();
    const download = page.waitForEvent('download');
    await end.getByRole('button', { name: /CSV/ }).click();
    const saved = await download;
    assert.match(saved.suggestedFilename(), /^animals-\d{4}-\d\d-\d\d\.csv$/);
    await end.getByRole('button', { name: 'Show more' }).click();
    await eventuallyEqual(() => names(page), animalNames(60).toReversed());
    assert.match(await end.innerText(), /^60 animals – /);
    await search(page).fill('Animal 60');
    await end.getByText(/^1 animal with .*Animal 60.* in its name/).waitFor();
  });

  it('has at most 1,000 rows, of which only those near the screen are laid out, and stays up to date', async (t) => {
    const { page, service } = (await openConsole(t, [], { prepare: addMany })) ?? {};
    if (!page || !service) return;
    const rows = page.locator('.page .row');
    for (let shown = 50; shown < 1000; shown = Math.min(shown + 100, 1000)) {
      await eventuallyEqual(() => rows.count(), shown);
      await button(page, 'Show more').click();
    }
    await eventuallyEqual(() => rows.count(), 1000);
    const end = page.locator('.end-of-list');
    assert.match(await end.innerText(), /^1,000 of 1,010\. Search to see others\. .*CSV.* has all\.$/);
    assert.equal(await button(page, 'Show more').count(), 0);
    await order(service, 990);
    await row(page, 'Animal 990').getByText('Reserved').waitFor();
    // A row far from the screen has its height, and can be reached with the keyboard.
    await link(page, 'Animal 11').focus();
    await page.keyboard.press('ArrowUp');
    await link(page, 'Animal 12').and(page.locator(':focus')).waitFor();
    const heights = await page.evaluate(
      `[...new Set([...document.querySelectorAll('.page .row')].map((one) => one.getBoundingClientRect().height))]`,
    );
    assert.deepEqual(heights, [(await rows.first().boundingBox())?.height]);
    const visibility = await page.evaluate(
      `getComputedStyle(document.querySelector('.page .row')).contentVisibility`,
    );
    if (visibility === 'visible') t.diagnostic('the style sheets have no content-visibility yet');
    else assert.equal(visibility, 'auto');
  });
});
