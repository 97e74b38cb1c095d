import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as shop from './support/console.ts';
import { inPanel, openPanel } from './support/panel.ts';

const { button, message, names, place, row } = shop;
const SHOP = {
  animals: Object.entries({ Rex: 1, Max: 1, Atlas: 99 }).map(([name, categoryId]) => ({ name, categoryId })),
  categories: { 1: 'Dogs', 2: 'Cats' },
  path: '/#/categories',
};
/** The numbers of a row, or its state. */
const figures = async (page: Page, name: string) =>
  (await row(page, name).locator('.number').allInnerTexts()).map((text) => text.trim()).join(' ');
const press = (page: Page, what: string) => button(page, new RegExp(`^${what.replace(' ', ' .?')}`)).click();
const enter = async (page: Page, name: string) => {
  await shop.nameField(page).fill(name);
  await page.keyboard.press('Enter');
};
const inCategories = (title: string, test: (page: Page, service: Service) => Promise<void>) =>
  shop.inConsole(title, SHOP, ({ page, service }) => test(page, service));

describe('Categories', { concurrency: 2 }, () => {
  after(closeBrowser);

  inCategories('have numbers, with or without a name, that lead to the animals', async (page, service) => {
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Category 99', 'All animals']);
    await eventuallyEqual(() => figures(page, 'Category 99'), '1 0 0 1');
    await shop.order(service, 1);
    await eventuallyEqual(() => figures(page, 'Dogs'), '1 1 0 2');
    await eventuallyEqual(() => figures(page, 'All animals'), '2 1 0 3');
    await page.getByRole('link', { name: /^1 reserved in .?Dogs/ }).click();
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.match(page.url(), /#\/animals\?status=pending&category=1$/);
    await page.goBack();
    await row(page, 'Category 99').locator('a.name').click();
    await eventuallyEqual(() => names(page), ['Atlas']);
  });

  inCategories('are added, named and renamed in a dialog, and no row moves', async (page) => {
    await press(page, 'New category');
    await enter(page, 'dogs');
    await page.getByText('Another category has this name.').waitFor();
    for (const [what, name, said] of [
      ['', 'Birds', 'The category “Birds” was added.'],
      ['Name category 99', 'Turtles', 'Category 99 is called “Turtles”.'],
      ['Rename Cats', 'Wild cats', '“Cats” was renamed to “Wild cats”.'],
    ] as const) {
      if (what) await press(page, what);
      await enter(page, name);
      await message(page, said);
    }
    await eventuallyEqual(() => names(page), ['Wild cats', 'Dogs', 'Turtles', 'Birds', 'All animals']);
    await shop.undo(page, 'the category .*Birds').click();
    await message(page, 'Undone: the category “Birds” was removed.');
  });

  inCategories('are removed: empty with Undo, with animals after a question', async (page) => {
    await press(page, 'Remove Cats');
    await eventuallyEqual(() => figures(page, 'Cats'), 'Removed');
    await shop.undo(page, 'the removal of .*Cats').click();
    await eventuallyEqual(() => figures(page, 'Cats'), '0 0 0 0');
    const question = /^Move its 2 animals to .* and remove .*Dogs.*\? This cannot be undone\.$/;
    for (const answer of ['Keep', 'Move and remove']) {
      await press(page, 'Remove Dogs');
      await page.getByText(question).waitFor();
      await button(page, answer).click();
      assert.equal(await figures(page, 'Dogs'), '2 0 0 2');
    }
    await page.getByText('Choose the category that they move to.').waitFor();
    await page.getByLabel('Category', { exact: true }).selectOption('Cats');
    await button(page, 'Move and remove').click();
    await message(page, '2 moved to “Cats”, and “Dogs” was removed.');
    assert.equal(await shop.undo(page, 'the move').count(), 0);
    await eventuallyEqual(() => figures(page, 'Cats'), '2 0 0 2');
    assert.equal(await figures(page, 'Dogs'), 'Removed');
  });

  inCategories('that are removed elsewhere are a number in what is restored only', async (page, { call }) => {
    const animals = async (method: string, categoryId?: number) => {
      for (const id of [1, 2, 3])
        await call(method, `/v1/pets/${id}`, { body: categoryId && { categoryId } });
    };
    await press(page, 'Name category 99');
    await enter(page, 'Turtles');
    await eventuallyEqual(() => figures(page, 'Turtles'), '1 0 0 1');
    await animals('PATCH', 7);
    await call('DELETE', '/v1/categories/99');
    await eventuallyEqual(() => figures(page, 'Category 7'), '3 0 0 3');
    await eventuallyEqual(() => figures(page, 'Turtles'), 'Removed');
    await animals('PATCH', 1);
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Turtles', 'All animals']);
    await animals('DELETE');
    await call('DELETE', '/v1/categories/1');
    await place(page, 'Animals').click();
    await shop.tab(page, 'Removed').click();
    await openPanel(page, 'Rex');
    await page.getByText('category 1, without a name').waitFor();
    assert.equal(await inPanel(page, 'Move it').count(), 0);
    await inPanel(page, 'Restore').click();
    await inPanel(page, 'Move it').waitFor();
    await place(page, 'Categories').click();
    await eventuallyEqual(() => names(page), ['Cats', 'Category 1', 'All animals']);
  });
});
