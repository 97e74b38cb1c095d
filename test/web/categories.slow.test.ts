import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, inConsole, message, names, order, place, row, undo } from './support/console.ts';
import { dialog } from './support/keys.ts';
import { categoryField, inPanel, openPanel, panel } from './support/panel.ts';

const name = (service: Service, id: number, called: string) =>
  service.call('PUT', `/v1/categories/${id}`, { body: { name: called } });
const prepare = async (service: Service) => {
  await name(service, 1, 'Dogs');
  await name(service, 2, 'Cats');
};
const SHOP = [
  { name: 'Rex', categoryId: 1 },
  { name: 'Max', categoryId: 1 },
  { name: 'Atlas', categoryId: 99 },
];
const PAGE = { path: '/#/categories', prepare };
const stored = async (service: Service) =>
  ((await service.call('GET', '/v1/categories')).json as { name: string }[]).map((one) => one.name);
/** The numbers of a row, or its state. */
const figures = async (page: Page, called: string) =>
  (await row(page, called).locator('.number').allInnerTexts()).map((text) => text.trim());
const press = (page: Page, what: string) => button(page, new RegExp(`^${what.replace(' ', ' .?')}`)).click();
const type = async (page: Page, title: RegExp, text: string) => {
  await dialog(page, title).getByLabel('Name').fill(text);
  await page.keyboard.press('Enter');
};

const removeRex = async (service: Service) => {
  await name(service, 7, 'Dogs');
  await service.call('DELETE', '/v1/pets/1');
  await service.call('DELETE', '/v1/categories/7');
};
const REMOVED = { path: '/#/animals?status=removed', prepare: removeRex };

describe('Categories', { concurrency: 2 }, () => {
  after(closeBrowser);

  inConsole(
    'have numbers, with or without a name, that lead to animals',
    SHOP,
    PAGE,
    async ({ page, service }) => {
      await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Category 99', 'All animals']);
      await eventuallyEqual(() => figures(page, 'Category 99'), ['1', '0', '0', '1']);
      assert.equal(await row(page, 'Category 99').locator('.tag').innerText(), '–');
      assert.equal(await row(page, 'Dogs').locator('small').innerText(), 'id 1');
      await order(service, 1);
      await eventuallyEqual(() => figures(page, 'Dogs'), ['1', '1', '0', '2']);
      await eventuallyEqual(() => figures(page, 'All animals'), ['2', '1', '0', '3']);
      await page.getByRole('link', { name: /^1 reserved in .?Dogs/ }).click();
      await eventuallyEqual(() => names(page), ['Rex']);
      assert.match(page.url(), /#\/animals\?status=pending&category=1$/);
      await page.goBack();
      await row(page, 'Category 99').locator('a.name').click();
      await eventuallyEqual(() => names(page), ['Atlas']);
    },
  );

  inConsole('are added, named and renamed; no row moves', SHOP, PAGE, async ({ page, service }) => {
    await press(page, 'New category');
    await type(page, /^New category/, 'dogs');
    await dialog(page, /^New category/)
      .getByText('Another category has this name.')
      .waitFor();
    await type(page, /^New category/, 'Birds');
    await message(page, 'The category “Birds” was added.');
    await press(page, 'Name category 99');
    await type(page, /^Name category 99/, 'Turtles');
    await message(page, 'Category 99 is called “Turtles”.');
    await press(page, 'Rename Cats');
    await type(page, /^Rename .*Cats/, 'Wild cats');
    await message(page, '“Cats” was renamed to “Wild cats”.');
    await eventuallyEqual(() => names(page), ['Wild cats', 'Dogs', 'Turtles', 'Birds', 'All animals']);
    await undo(page, 'the new name of .*Cats').click();
    await message(page, 'Undone: the category is called “Cats” again.');
    await undo(page, 'the category .*Birds').click();
    await eventuallyEqual(() => figures(page, 'Birds'), ['Removed']);
    assert.deepEqual(await stored(service), ['Cats', 'Dogs', 'Turtles']);
  });

  inConsole('are removed with Undo, or for good once empty', SHOP, PAGE, async ({ page, service }) => {
    await press(page, 'Remove Cats');
    await message(page, 'The category “Cats” was removed.');
    await undo(page, 'the removal of .*Cats').click();
    await message(page, 'Undone: the category “Cats” is there again.');
    const question = dialog(page, /^Remove .*Dogs/);
    const asks = question.getByText(
      /^Move its 2 animals to .* and remove .*Dogs.*\? This cannot be undone\.$/,
    );
    await press(page, 'Remove Dogs');
    await asks.waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    assert.deepEqual(await stored(service), ['Cats', 'Dogs']);
    await press(page, 'Remove Dogs');
    await button(page, 'Move and remove').click();
    await question.getByText('Choose the category that they move to.').waitFor();
    await question.getByLabel('Category').selectOption('Cats');
    await button(page, 'Move and remove').click();
    await message(page, '2 moved to “Cats”, and “Dogs” was removed.');
    assert.equal(await undo(page, 'the move').count(), 0);
    await eventuallyEqual(() => figures(page, 'Cats'), ['2', '0', '0', '2']);
    assert.deepEqual(await figures(page, 'Dogs'), ['Removed']);
    assert.deepEqual(await stored(service), ['Cats']);
  });

  inConsole(
    'that are removed elsewhere leave no row with a number',
    SHOP,
    PAGE,
    async ({ page, service }) => {
      await press(page, 'Name category 99');
      await type(page, /^Name category 99/, 'Turtles');
      await eventuallyEqual(() => figures(page, 'Turtles'), ['1', '0', '0', '1']);
      for (const id of [1, 2, 3]) await service.call('PATCH', `/v1/pets/${id}`, { body: { categoryId: 7 } });
      for (const id of [1, 99]) await service.call('DELETE', `/v1/categories/${id}`);
      await eventuallyEqual(() => figures(page, 'Category 7'), ['3', '0', '0', '3']);
      await eventuallyEqual(() => figures(page, 'Turtles'), ['Removed']);
      assert.deepEqual(await names(page), ['Cats', 'Dogs', 'Turtles', 'Category 7', 'All animals']);
      for (const id of [1, 2, 3]) await service.call('PATCH', `/v1/pets/${id}`, { body: { categoryId: 2 } });
      await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Turtles', 'All animals']);
      await place(page, 'Orders').click();
      await place(page, 'Categories').click();
      await eventuallyEqual(() => names(page), ['Cats', 'All animals']);
    },
  );

  inConsole('that were removed are a number in what is restored', ['Rex'], REMOVED, async ({ page }) => {
    await openPanel(page, 'Rex');
    await panel(page, 'Rex').getByText('category 7, without a name').waitFor();
    assert.equal(await inPanel(page, 'Move it').count(), 0);
    await inPanel(page, 'Restore').click();
    await inPanel(page, 'Move it').click();
    assert.equal(await categoryField(page).inputValue(), '7');
  });
});
