import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage, signIn } from '../support/browser.ts';
import { button, openConsole, place, row, state } from './support/console.ts';

after(closeBrowser);

const SHOP = ['Rex', 'Biscuit', 'Noodle'];
const search = (page: Page) => page.getByRole('searchbox');
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

test('a day by mouse: reserve with a note, change the note, sell, and see it among the sales', async (t) => {
  const opened = await openConsole(t, SHOP);
  if (!opened) return;
  const { page } = opened;
  await row(page, 'Biscuit').locator('.row-name').click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Note').fill('for Ms Lee, Friday');
  await panel.getByRole('button', { name: 'Reserve' }).click();
  await eventually(async () => (await panel.innerText()).includes('for Ms Lee, Friday'), true);
  await panel.getByRole('button', { name: 'Close' }).click();
  await eventually(async () => (await row(page, 'Biscuit').innerText()).includes('for Ms Lee, Friday'), true);
  await place(page, 'Orders').click();
  await row(page, 'Biscuit').getByRole('button', { name: /note/i }).click();
  await page.keyboard.type(', at ten');
  await page.keyboard.press('Enter');
  await eventually(
    async () => (await row(page, 'Biscuit').innerText()).includes('for Ms Lee, Friday, at ten'),
    true,
  );
  await row(page, 'Biscuit').getByRole('button', { name: /^Sell/ }).click();
  await eventually(async () => (await row(page, 'Biscuit').first().innerText()).includes('Sold'), true);
  await place(page, 'Animals').click();
  await eventually(() => state(page, 'Biscuit'), 'Sold');
  await place(page, 'Orders').click();
  await eventually(
    async () => (await page.getByRole('region', { name: /Sold/ }).innerText()).includes('Biscuit'),
    true,
  );
});

test('a day by keyboard: a name and two keys sell an animal, and one more takes it back', async (t) => {
  const opened = await openConsole(t, SHOP);
  if (!opened) return;
  const { page } = opened;
  await row(page, 'Noodle').waitFor();
  await press(page, '/');
  await page.keyboard.type('noo');
  await eventually(() => page.locator('.rows .name').allInnerTexts(), ['Noodle']);
  await press(page, 'ArrowDown', 's');
  await eventually(async () => (await state(page, 'Noodle')).startsWith('Sold'), true);
  await button(page, /^Undo the sale of .*Noodle/).focus();
  await press(page, 'Enter');
  await eventually(async () => (await state(page, 'Noodle')).startsWith('Available'), true);
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
  await eventually(() => page.locator('.rows .name').allInnerTexts(), ['Rex']);
  await row(page, 'Rex').locator('.row-name').tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Sell' }).tap();
  await eventually(async () => (await sheet.innerText()).includes('Take back'), true);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await eventually(async () => (await state(page, 'Rex')).startsWith('Sold'), true);
});

test('two browsers: what one sells, the other sees at once, and its rename does not undo it', async (t) => {
  const opened = await openConsole(t, SHOP, { path: '/#/animals?animal=1' });
  if (!opened) return;
  const { page: office, front } = opened;
  const till = await openPage(t, `${front.origin}/`, { isolated: true });
  assert.ok(till);
  await signIn(till);
  const panel = office.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByLabel('Name', { exact: true }).fill('Rex the Second');
  await till.getByRole('button', { name: /^Sell .*Rex/ }).click();
  await eventually(async () => (await state(till, 'Rex')).startsWith('Sold'), true);
  await panel.getByRole('button', { name: 'Save' }).click();
  await eventually(async () => (await panel.innerText()).includes('Rex the Second'), true);
  await eventually(async () => (await panel.innerText()).includes('Take back'), true);
  await eventually(async () => (await state(till, 'Rex the Second')).startsWith('Sold'), true);
});
