import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, names, openConsole, order, row, state } from './support/console.ts';

const NAMES = ['Ada', 'Bo', 'Cleo', 'Dot', 'Ed'];

const nameCategories = async (service: Service) => {
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
  await service.call('PUT', '/v1/categories/8', { body: { name: 'Cats' } });
};

const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Select .*${name}`) });
const bar = (page: Page) => page.getByRole('group', { name: 'Selected animals' });
const ticked = (page: Page) => page.locator('.row.picked .name').allInnerTexts();
const summary = async (page: Page) => (await bar(page).innerText()).replaceAll(/\s+/g, ' ');
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const boxOf = (page: Page, selector: string) => page.locator(selector).first().boundingBox();

describe('Several animals at once', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const width of [1280, 768])
    it(`the bar takes the place of the other one, and no row moves, at ${width} pixels`, async (t) => {
      const { page } = (await openConsole(t, NAMES, { viewport: { width, height: 800 } })) ?? {};
      if (!page) return;
      await eventuallyEqual(() => names(page), NAMES.toReversed());
      const before = [await boxOf(page, '.list > .bar'), await boxOf(page, '.rows')];
      await row(page, 'Bo').hover();
      await tick(page, 'Bo').click();
      await bar(page).waitFor();
      assert.deepEqual([await boxOf(page, '.selection'), await boxOf(page, '.rows')], before);
      assert.equal(await button(page, /^(Sell|Reserve) “/).count(), 0, 'the actions of single rows rest');
      await page.keyboard.press('Escape');
      await bar(page).waitFor({ state: 'detached' });
      assert.deepEqual(await ticked(page), []);
      assert.equal(await page.getByPlaceholder('Name, id or category').isVisible(), true);
    });

  it('Shift ticks the rows in between, and the bar says what they are', async (t) => {
    const { page } = (await openConsole(t, NAMES, { prepare: (one) => order(one, 4) })) ?? {};
    if (!page) return;
    await tick(page, 'Dot').click();
    await tick(page, 'Bo').click({ modifiers: ['Shift'] });
    assert.deepEqual(await ticked(page), ['Dot', 'Cleo', 'Bo']);
    await eventuallyEqual(
      () => summary(page).then((text) => text.split(' Sell')[0]),
      '3 selected 2 available, 1 reserved',
    );
  });

  it('are moved to a category, and removed for a reason', async (t) => {
    const { page, service } = (await openConsole(t, NAMES, { prepare: nameCategories })) ?? {};
    if (!page || !service) return;
    await tick(page, 'Ada').click();
    await tick(page, 'Ed').click();
    await inBar(page, 'Move to…').click();
    await bar(page).getByLabel('Move to').selectOption('Cats');
    await inBar(page, 'Move').click();
    await bar(page).getByText('2 animals moved').waitFor();
    await eventuallyEqual(() => row(page, 'Ed').locator('.row-category').innerText(), 'Cats');
    await tick(page, 'Bo').click();
    await tick(page, 'Cleo').click();
    await inBar(page, 'Remove').click();
    await page.keyboard.type('given away');
    await page.keyboard.press('Enter');
    await bar(page).getByText('2 animals removed').waitFor();
    assert.equal(await state(page, 'Bo'), 'Removed given away Undo');
    const { text } = await service.call('GET', '/v1/pets?removed=true');
    assert.equal(text.split('"reason":"given away"').length, 3);
    await bar(page).getByRole('button', { name: /^Undo/ }).click();
    await eventuallyEqual(() => state(page, 'Bo'), 'Available');
    await bar(page).waitFor({ state: 'detached' });
  });

  it('on a phone it is a mode: the tick is in the place of the actions, the bar in that of the navigation', async (t) => {
    const { page } = (await openConsole(t, NAMES, { viewport: { width: 390, height: 800 } })) ?? {};
    if (!page) return;
    await eventuallyEqual(() => names(page), NAMES.toReversed());
    const bottom = await boxOf(page, '.bottom');
    assert.equal(await tick(page, 'Bo').isVisible(), false);
    await button(page, 'Select').click();
    const before = await boxOf(page, '.rows');
    assert.equal(await button(page, /^Sell “/).count(), 0);
    // The whole row ticks, and opens nothing.
    await row(page, 'Bo').getByRole('link').click();
    await tick(page, 'Dot').click();
    assert.deepEqual(await ticked(page), ['Dot', 'Bo']);
    assert.deepEqual([await boxOf(page, '.selection'), await boxOf(page, '.rows')], [bottom, before]);
    assert.equal(await page.locator('.bottom').isVisible(), false);
    await inBar(page, 'Sell').click();
    await bar(page).getByText('2 animals sold').waitFor();
    await button(page, 'Done').click();
    await page.locator('.bottom').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('nothing is selected any more when other rows are shown', async (t) => {
    const { page } = (await openConsole(t, NAMES)) ?? {};
    if (!page) return;
    await tick(page, 'Bo').click();
    await page.evaluate(`location.hash = '#/animals?status=available'`);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await ticked(page), []);
  });
});
