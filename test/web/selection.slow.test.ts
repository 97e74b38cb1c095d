import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  button,
  counts,
  focused,
  inConsole,
  message,
  messages,
  names,
  row,
  state,
  tab,
  undo,
} from './support/console.ts';
import { sell } from './support/orders.ts';
import { storedAnimals } from './support/panel.ts';

const animals = ['Ada', 'Bo', 'Cleo', 'Dot', 'Ed'];
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Select .*${name}`) });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected animals' });
const ticked = (page: Page) => page.locator('.row.picked .name b').allInnerTexts();
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.locator('.dialog').getByRole('button', { name });

describe('Several animals at once', { concurrency: 2 }, () => {
  after(closeBrowser);

  inConsole('the bar takes the place of the toolbar, and no row moves', { animals }, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
    const boxes = () => Promise.all(['.bar', '.rows'].map((one) => page.locator(one).boundingBox()));
    for (const width of [1280, 1000]) {
      await page.setViewportSize({ width, height: 800 });
      const before = await boxes();
      await tick(page, 'Bo').click();
      await bar(page).getByText('1 selected').waitFor();
      assert.deepEqual(await boxes(), before);
      assert.equal(await button(page, /^(Sell|Reserve) ./).count(), 0, 'the actions of single rows rest');
      await inBar(page, 'Select none').press('Enter');
      await tab(page, 'Available').waitFor();
      assert.deepEqual([await boxes(), await ticked(page)], [before, []]);
      await focused(page.locator('#view-title'));
    }
    await tick(page, 'Bo').click();
    await page.evaluate(`location.hash = '#/animals?status=all'`);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await ticked(page), [], 'nothing is selected any more when other rows are shown');
    await page.setViewportSize({ width: 390, height: 844 });
    await tick(page, 'Bo').waitFor({ state: 'hidden' });
  });

  inConsole('are ticked with Shift, sold, and taken back with one Undo', { animals }, async (opened) => {
    const { page, service, front } = opened;
    await tick(page, 'Dot').click();
    await tick(page, 'Bo').click({ modifiers: ['Shift'] });
    assert.deepEqual(await ticked(page), ['Dot', 'Cleo', 'Bo']);
    assert.equal(await page.locator('.selection .tick:indeterminate').count(), 1);
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    assert.deepEqual(await ticked(page), animals.toReversed());
    await tick(page, 'Cleo').click();
    await inBar(page, 'Sell').click();
    await message(page, '4 animals were sold.');
    assert.equal((await messages(page)).length, 1);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await names(page), animals.toReversed());
    assert.deepEqual([await state(page, 'Ed'), await state(page, 'Cleo')], ['Sold', 'Available']);
    await undo(page, '').click();
    await message(page, 'Undone: 4 animals were sold before.');
    await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
    // What another till has sold meanwhile stays ticked.
    await tick(page, 'Ada').click();
    await tick(page, 'Bo').click();
    front.fault(/^POST \/v1\/store\/orders/, { hold: true });
    await inBar(page, 'Sell').click();
    await bar(page).getByText('Selling 1 of 2…').waitFor();
    await sell(service, 2);
    front.fault();
    await message(page, 'Ada is sold. Not sold: Bo is sold already.');
    await bar(page).getByText('1 selected').waitFor();
    assert.deepEqual(await ticked(page), ['Bo']);
    await undo(page, '').click();
    await message(page, 'Undone: Ada is available again.');
  });

  const prepare = (service: Service) => service.call('POST', '/v1/categories', { body: { name: 'Cats' } });
  inConsole('are moved and removed', { animals, prepare }, async ({ page, service }) => {
    const category = page.locator('.dialog').getByRole('combobox', { name: 'Category' });
    for (const [typed, hint] of [
      ['cats', ''],
      ['Ragdolls', 'New category'],
    ] as const) {
      await tick(page, 'Ada').click();
      await tick(page, 'Ed').click();
      await inBar(page, 'Move to…').click();
      await inDialog(page, 'Move').click();
      await page.getByText('Choose a category.').waitFor();
      await category.fill(typed);
      assert.equal(await page.locator('.dialog small').innerText(), hint);
      await inDialog(page, 'Move').click();
      await message(page, '2 animals were moved.');
      await row(page, 'Ed').getByText(typed, { exact: false }).waitFor();
      await bar(page).waitFor({ state: 'detached' });
    }
    assert.equal((await storedAnimals(service, '?categoryId=2')).length, 2);
    await tick(page, 'Bo').click();
    await tick(page, 'Cleo').click();
    await inBar(page, 'Remove').click();
    await page.getByRole('dialog', { name: 'Remove 2 animals?' }).getByText('Given away').click();
    await inDialog(page, 'Remove').click();
    await message(page, '2 animals were removed.');
    await eventuallyEqual(() => state(page, 'Bo'), 'Removed');
    await row(page, 'Bo').getByText('Given away').waitFor();
    await undo(page, '').last().click();
    await eventuallyEqual(() => state(page, 'Bo'), 'Available');
  });
});
