import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAnimals,
  animalNames,
  button,
  counts,
  inConsole,
  link,
  message,
  messages,
  names,
  order,
  positions,
  refresh,
  row,
  search,
  signOut,
  state,
  tab,
} from './support/console.ts';
import { inPanel, openPanel, panelState } from './support/panel.ts';

const MANY = 1010;
const addMany = async (service: Service) => {
  const all = animalNames(MANY).map((name) => ({ name, categoryId: 7 }));
  for (let from = 0; from < MANY; from += 100)
    await service.call('POST', '/v1/pets/batch', { body: { pets: all.slice(from, from + 100) } });
};

describe('The list of animals', { concurrency: 2 }, () => {
  after(closeBrowser);

  const animals = ['Rex', 'Luna', 'Max'];
  inConsole('changes rows in place, and keeps new ones waiting', { animals }, async (opened) => {
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
    const before = await positions(page);
    await button(page, /^Sell .*Max/).click();
    await message(page, 'Max is sold.');
    await openPanel(page, 'Luna');
    await addAnimals(service, ['Milo', 'Otis']);
    await order(service, 2);
    await service.call('DELETE', '/v1/pets/1');
    await button(page, '2 new animals – show').waitFor();
    await refresh(opened);
    assert.deepEqual(await names(page), ['Max', 'Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    assert.deepEqual(await Promise.all(['Max', 'Luna', 'Rex'].map((name) => state(page, name))), [
      'Sold',
      'Reserved',
      'Removed',
    ]);
    assert.equal(await panelState(page), 'Reserved');
    await inPanel(page, 'Cancel reservation').waitFor();
    assert.deepEqual(await messages(page), ['Max is sold.'], 'what others do is no message');
    assert.deepEqual(await counts(page), ['2', '1', '1', '4'], 'the tabs count at once');
    await page.keyboard.press('Escape');
    await page.evaluate('scrollTo(0, 100)');
    await button(page, '2 new animals – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo']);
    await page
      .locator('.end-of-list')
      .getByText(/^2 animals – /)
      .waitFor();
    assert.equal(await button(page, /– show$/).count(), 0);
    await tab(page, 'All').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo', 'Max', 'Luna']);
  });

  inConsole('does not move while it loads or the service fails', { animals }, async (opened) => {
    const { page, front } = opened;
    await openPanel(page, 'Luna');
    const foot = () => page.locator('.panel-foot').boundingBox();
    const height = async () => (await page.locator('.row').first().boundingBox())?.height;
    const before = [await positions(page), await foot()];
    const rowHeight = await height();
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 60 });
    await refresh(opened);
    await page.getByText(/^No answer since \d\d:\d\d$/).waitFor();
    assert.deepEqual([await positions(page), await foot()], before);
    assert.deepEqual(await names(page), ['Max', 'Luna', 'Rex']);
    await page.keyboard.press('Escape');
    await signOut(page);
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await signIn(page);
    await page.locator('.skeleton .row').first().waitFor();
    assert.equal(await height(), rowHeight, 'what stands for a row is as high');
    front.fault();
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
  });

  inConsole('says when it is empty, leads on, and stays while it is refreshed', {}, async (opened) => {
    const { page, service } = opened;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    // The stream has begun, after which the page loads once more.
    await refresh(opened);
    await page.locator('.empty').evaluate((empty) => empty.setAttribute('data-mark', ''));
    for (let times = 0; times < 2; times++) await refresh(opened);
    assert.equal(await page.locator('.empty[data-mark]').count(), 1);
    await page.locator('.empty').getByRole('button', { name: 'Add animals' }).click();
    await page.getByRole('dialog', { name: 'Add animals' }).waitFor();
    await page.keyboard.press('Escape');
    await tab(page, 'Removed').click();
    await page.getByRole('heading', { name: 'No animal is removed' }).waitFor();
    await page.getByRole('link', { name: 'Show all animals' }).click();
    await addAnimals(service, ['Rex']);
    await eventuallyEqual(() => names(page), ['Rex']);
  });

  inConsole(
    'shows 1,000 rows at most, and says where the others are',
    { prepare: addMany },
    async (opened) => {
      const { page, service } = opened;
      const rows = page.locator('.page .row');
      const end = page.locator('.end-of-list');
      await end.getByText('50 of 1,010 – ').waitFor();
      for (let shown = 50; shown < 1000; shown = Math.min(shown + 100, 1000)) {
        await eventuallyEqual(() => rows.count(), shown);
        await button(page, 'Show more').click();
      }
      await eventuallyEqual(() => rows.count(), 1000);
      assert.match(await end.innerText(), /^1,000 of 1,010\. Search to see others\. .*CSV.* has all\.$/);
      assert.equal(await button(page, 'Show more').count(), 0);
      await order(service, 990);
      await row(page, 'Animal 990').getByText('Reserved').waitFor();
      // A row far from the screen is not laid out; it has its height, and can be reached with the keyboard.
      await link(page, 'Animal 11').focus();
      await page.keyboard.press('ArrowUp');
      await link(page, 'Animal 12').and(page.locator(':focus')).waitFor();
      const looks = await page.evaluate(
        `[...new Set([...document.querySelectorAll('.page .row')].map((one) =>
        getComputedStyle(one).contentVisibility + ' ' + one.getBoundingClientRect().height))]`,
      );
      assert.deepEqual(looks, ['auto 44']);
      const download = page.waitForEvent('download');
      await end.getByRole('button', { name: /CSV/ }).click();
      assert.match((await download).suggestedFilename(), /^animals-\d{4}-\d\d-\d\d\.csv$/);
      await search(page).fill('Animal 101');
      await end.getByText(/^2 animals with .*Animal 101.* in their name/).waitFor();
    },
  );
});
