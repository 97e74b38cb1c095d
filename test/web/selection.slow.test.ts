import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import {
  button,
  counts,
  focused,
  message,
  messages,
  names,
  openConsole,
  row,
  state,
  tab,
  undo,
} from './support/console.ts';
import { storedAnimals } from './support/panel.ts';

const NAMES = ['Ada', 'Bo', 'Cleo', 'Dot', 'Ed'];
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Select .*${name}`) });
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows' });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected animals' });
const ticked = (page: Page) => page.locator('.row.picked .name b').allInnerTexts();
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.locator('.dialog').getByRole('button', { name });

describe('Several animals at once', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const width of [1280, 1000])
    it(`the bar takes the place of the toolbar, and no row moves, at ${width} pixels`, async (t) => {
      const { page } = (await openConsole(t, NAMES, { viewport: { width, height: 800 } })) ?? {};
      if (!page) return;
      await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
      const boxes = () => Promise.all(['.bar', '.rows'].map((one) => page.locator(one).boundingBox()));
      const before = await boxes();
      await tick(page, 'Bo').click();
      await bar(page).getByText('1 selected').waitFor();
      assert.deepEqual(await boxes(), before);
      assert.equal(await button(page, /^(Sell|Reserve) ./).count(), 0, 'the actions of single rows rest');
      await inBar(page, 'Select none').press('Enter');
      await tab(page, 'Available').waitFor();
      assert.deepEqual([await boxes(), await ticked(page)], [before, []]);
      await focused(page.locator('#view-title'));
    });

  it('Shift ticks the rows in between; one message tells of all, and one Undo takes all back', async (t) => {
    const { page } = (await openConsole(t, NAMES)) ?? {};
    if (!page) return;
    await tick(page, 'Dot').click();
    await tick(page, 'Bo').click({ modifiers: ['Shift'] });
    assert.deepEqual(await ticked(page), ['Dot', 'Cleo', 'Bo']);
    assert.equal(await page.locator('.selection .tick:indeterminate').count(), 1);
    await all(page).click();
    assert.deepEqual(await ticked(page), NAMES.toReversed());
    await tick(page, 'Cleo').click();
    await inBar(page, 'Sell').click();
    await message(page, '4 animals were sold.');
    assert.equal((await messages(page)).length, 1);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await names(page), NAMES.toReversed());
    assert.deepEqual([await state(page, 'Ed'), await state(page, 'Cleo')], ['Sold', 'Available']);
    await undo(page, '').click();
    await message(page, 'Undone: the sale of 4 animals.');
    await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
  });

  it('what another till has sold meanwhile stays ticked, and the message says so', async (t) => {
    const { page, service, front } = (await openConsole(t, NAMES)) ?? {};
    if (!page || !service || !front) return;
    await tick(page, 'Ada').click();
    await tick(page, 'Bo').click();
    front.fault(/^POST \/v1\/store\/orders/, { hold: true });
    await inBar(page, 'Sell').click();
    await bar(page).getByText('Selling 1 of 2…').waitFor();
    await service.call('POST', '/v1/store/orders', { body: { petId: 2, status: 'completed' } });
    front.fault();
    await message(page, 'Ada is sold. Not sold: Bo is sold already.');
    await bar(page).getByText('1 selected').waitFor();
    assert.deepEqual(await ticked(page), ['Bo']);
    await undo(page, '').click();
    await message(page, 'Undone: Ada is available again.');
  });

  it('are moved to a category, also a new one, and removed for a reason', async (t) => {
    const prepare = (service: Parameters<typeof storedAnimals>[0]) =>
      service.call('POST', '/v1/categories', { body: { name: 'Cats' } });
    const { page, service } = (await openConsole(t, NAMES, { prepare })) ?? {};
    if (!page || !service) return;
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

  it('nothing is selected any more when other rows are shown, and there are no ticks on a phone', async (t) => {
    const { page } = (await openConsole(t, NAMES)) ?? {};
    if (!page) return;
    await tick(page, 'Bo').click();
    await page.evaluate(`location.hash = '#/animals?status=all'`);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await ticked(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await tick(page, 'Bo').waitFor({ state: 'hidden' });
  });
});
