import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { openReference } from './support/reference.ts';

const top = (page: Page, id: string) =>
  page.evaluate(`document.getElementById('${id}')?.getBoundingClientRect().top ?? 9999`);

describe('Finding something in the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('leads where its links say, with any fragment, and marks where one is', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, '%');
    if (!page) return;
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
    await page.locator('#getPet').getByRole('link', { name: 'GET /pets', exact: true }).first().click();
    await eventuallyEqual(async () => Math.abs(Number(await top(page, 'listPets'))) < 100, true);
    await eventuallyEqual(() => page.locator('.contents [aria-current]').innerText(), 'List animals\nGET');
  });

  it('finds guides, operations, parameters and errors from the keyboard, with the words marked', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'updateOrder');
    if (!page) return;
    await eventuallyEqual(async () => Math.abs(Number(await top(page, 'updateOrder'))) < 100, true);
    for (const [word, id] of Object.entries({
      paging: 'paging',
      authentication: 'authentication',
      order_closed: 'error-order_closed',
      completedBefore: 'listOrders.completedBefore',
      'cancel order': 'updateOrder',
    })) {
      await page.keyboard.press('/');
      await page.keyboard.type(word);
      await page.locator('.result[aria-selected=true]').waitFor();
      assert.notEqual(await page.locator('.result mark').count(), 0);
      await page.keyboard.press('Enter');
      await eventuallyEqual(async () => Math.abs(Number(await top(page, id))) < 300, true);
      assert.equal(await page.getByLabel('Search this page').inputValue(), '');
    }
    await page.keyboard.press('/');
    await page.keyboard.type('zebra (crossing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.results').count(), 0);
  });
});
