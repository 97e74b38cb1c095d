import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { openConsole, place, row, state } from './support/console.ts';

after(closeBrowser);

const SHOP = ['Rex', 'Biscuit', 'Noodle'];
const search = (page: Page) => page.getByRole('searchbox');

test('a day by mouse: reserve with a note, change the note, sell, and see it among the sales', async (t) => {
  const opened = await openConsole(t, SHOP);
  if (!opened) return;
  const { page } = opened;
  await row(page, 'Biscuit').locator('.row-name').click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Note').fill('for Ms Lee, Friday');
  await panel.getByRole('button', { name: 'Reserve' }).click();
  await eventuallyEqual(async () => (await panel.innerText()).includes('for Ms Lee, Friday'), true);
  await panel.getByRole('button', { name: 'Close' }).click();
  await eventuallyEqual(
    async () => (await row(page, 'Biscuit').innerText()).includes('for Ms Lee, Friday'),
    true,
  );
  await place(page, 'Orders').click();
  await row(page, 'Biscuit').getByRole('button', { name: /note/i }).click();
  await page.keyboard.type(', at ten');
  await page.keyboard.press('Enter');
  await eventuallyEqual(
    async () => (await row(page, 'Biscuit').innerText()).includes('for Ms Lee, Friday, at ten'),
    true,
  );
  await row(page, 'Biscuit').getByRole('button', { name: /^Sell/ }).click();
  await eventuallyEqual(async () => (await row(page, 'Biscuit').first().innerText()).includes('Sold'), true);
  await place(page, 'Animals').click();
  await eventuallyEqual(() => state(page, 'Biscuit'), 'Sold');
  await place(page, 'Orders').click();
  await eventuallyEqual(
    async () => (await page.getByRole('region', { name: /Sold/ }).innerText()).includes('Biscuit'),
    true,
  );
});

test('a day on a phone: find, open, reserve, and sell from the sheet', async (t) => {
  const opened = await openConsole(t, SHOP, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isolated: true,
  });
  if (!opened) return;
  const { page } = opened;
  await search(page).fill('rex');
  await eventuallyEqual(() => page.locator('.rows .name').allInnerTexts(), ['Rex']);
  await row(page, 'Rex').locator('.row-name').tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Sell' }).tap();
  await eventuallyEqual(async () => (await sheet.innerText()).includes('Take back'), true);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await eventuallyEqual(async () => (await state(page, 'Rex')).startsWith('Sold'), true);
});
