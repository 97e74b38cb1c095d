import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { KEY } from '../support/service/service.ts';
import { button, inConsole, signOut } from './support/console.ts';

const stored = (page: Page) => page.evaluate('Object.values(localStorage)');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const keep = (page: Page) => page.getByRole('checkbox', { name: 'Keep me signed in on this device' });
const form = (page: Page) => page.getByLabel('API key').waitFor();
const openTab = async (page: Page, view: string) => {
  const tab = await page.context().newPage();
  await tab.goto(new URL(view, page.url()).href);
  return tab;
};

describe('Staying signed in', { concurrency: 2 }, () => {
  after(closeBrowser);

  const ORDERS = { isolated: true, path: '/#/orders' };
  inConsole('is off at first, and only where something can be stored', ORDERS, async ({ page }) => {
    assert.deepEqual(await stored(page), []);
    await form(await openTab(page, ''));
    await page.reload();
    assert.equal(await keep(page).isChecked(), false);
    await page.getByText(/^Leave it off on a device that others use/).waitFor();
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', { get() { throw Error(); } })`);
    await page.reload();
    await form(page);
    assert.equal(await keep(page).count(), 0);
    await signIn(page);
    await title(page, 'Orders');
  });

  inConsole('lasts until one tab ends it, answer or not', { isolated: true }, async ({ page, front }) => {
    await signOut(page);
    for (const end of [
      async () => {
        await button(page, 'Try again').click();
        await signOut(page);
      },
      () => button(page, 'Use another key').click(),
    ]) {
      await keep(page).check();
      await signIn(page);
      assert.deepEqual(await stored(page), [KEY]);
      const orders = await openTab(page, '#/orders');
      await title(orders, 'Orders');
      front.fault(/^GET \/v1\//, { status: 503 });
      await page.reload();
      await page.getByText('The store is not available right now.').waitFor();
      front.fault();
      await end();
      for (const tab of [page, orders]) await form(tab);
      assert.deepEqual(await stored(page), []);
    }
  });
});
