import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import { button, fillForm, names, openConsole, place, row, state } from './support/console.ts';

const name = (service: Service, id: number, called: string) =>
  service.call('PUT', `/v1/categories/${id}`, { body: { name: called } });
const dogsAndCats = async (service: Service) => {
  await name(service, 1, 'Dogs');
  await name(service, 2, 'Cats');
};
const SHOP = [
  { name: 'Rex', categoryId: 1 },
  { name: 'Luna', categoryId: 2 },
  { name: 'Atlas', categoryId: 99 },
];
const categories = async (service: Service) =>
  JSON.parse((await service.call('GET', '/v1/categories')).text) as { id: number; name: string }[];

describe('Categories by name', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('shows them in rows and panel, with a tag of two letters, and filters by them', async (t) => {
    const { page } = (await openConsole(t, SHOP, { prepare: dogsAndCats })) ?? {};
    if (!page) return;
    await eventually(() => row(page, 'Rex').locator('.category').innerText(), 'Dogs');
    assert.equal(await row(page, 'Rex').locator('.tag').innerText(), 'Do');
    assert.equal(await row(page, 'Atlas').locator('.category').innerText(), 'Category\n99');
    await page.getByLabel('Filter by category').selectOption('Cats');
    await eventually(() => names(page), ['Luna']);
    assert.match(page.url(), /#\/animals\?category=2$/);
    await row(page, 'Luna').getByRole('link').click();
    await page.getByRole('dialog', { name: 'Luna' }).getByText('Cats').waitFor();
    await page.goBack();
    await page.goBack();
    await eventually(() => names(page), ['Atlas', 'Luna', 'Rex']);
    assert.equal(await page.getByLabel('Filter by category').inputValue(), '');
    // Those that nobody has named are found by their number.
    await page.getByLabel('Filter by category').selectOption('Category 99');
    await eventually(() => names(page), ['Atlas']);
  });

  it('are chosen by name in the forms, or created on the spot', async (t) => {
    const { page, service } = (await openConsole(t, [], { prepare: dogsAndCats })) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Rex', 'dogs');
    await page.getByText('One of your categories.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Added just now').waitFor();
    await fillForm(page, 'Bugs', 'Rabbits');
    await page.keyboard.press('Enter');
    await page.getByText('There is no such category.').waitFor();
    await button(page, /^Create .*Rabbits/).click();
    await page.getByText('One of your categories.').waitFor();
    assert.equal(await page.getByText('There is no such category.').isVisible(), false);
    await button(page, 'Add and close').click();
    await eventually(() => row(page, 'Bugs').locator('.category').innerText(), 'Rabbits');
    await row(page, 'Bugs').getByRole('link').click();
    await button(page, 'Edit').click();
    const field = page.getByLabel('Category', { exact: true });
    await eventually(() => field.inputValue(), 'Rabbits');
    await field.fill('Cats');
    await page.keyboard.press('Enter');
    await eventually(() => row(page, 'Bugs').locator('.category').innerText(), 'Cats');
    await page.getByRole('dialog').getByText('Undo').click();
    await eventually(() => row(page, 'Bugs').locator('.category').innerText(), 'Rabbits');
  });

  it('are named, renamed and removed on a page of their own, each with Undo', async (t) => {
    const { page, service } = (await openConsole(t, SHOP, { prepare: dogsAndCats })) ?? {};
    if (!page || !service) return;
    await place(page, 'Categories').click();
    await eventually(() => names(page), ['Cats', 'Dogs', 'No name yet']);
    await button(page, 'Give a name to category 99').click();
    await page.getByLabel('Name of category 99').fill('Turtles');
    await page.keyboard.press('Enter');
    await eventually(() => names(page), ['Cats', 'Dogs', 'Turtles']);
    await page.getByLabel('Name of a new category').fill('dogs');
    await button(page, 'Add').click();
    await page.getByText('Another category has this name.').waitFor();
    await page.getByLabel('Name of a new category').fill('Hamsters');
    await button(page, 'Add').click();
    await eventually(() => names(page), ['Hamsters', 'Cats', 'Dogs', 'Turtles']);
    await button(page, /^Rename .*Cats/).click();
    await page.getByLabel(/New name for/).fill('Wild cats');
    await page.keyboard.press('Enter');
    await eventually(() => names(page), ['Hamsters', 'Wild cats', 'Dogs', 'Turtles']);
    await row(page, 'Wild cats').getByText('Undo').click();
    await eventually(() => names(page), ['Hamsters', 'Cats', 'Dogs', 'Turtles']);
    await button(page, /^Remove .*Dogs/).click();
    await eventually(
      () => state(page, 'Dogs'),
      'Animals belong to this category. Move them to another one first.',
    );
    await button(page, /^Remove .*Hamsters/).click();
    await eventually(() => state(page, 'Hamsters'), 'Removed Undo');
    assert.deepEqual(
      (await categories(service)).map((one) => one.name),
      ['Cats', 'Dogs', 'Turtles'],
    );
    await row(page, 'Hamsters').getByText('Undo').click();
    await eventually(async () => (await categories(service)).length, 4);
    await page.getByRole('link', { name: /^Dogs/ }).click();
    await eventually(() => names(page), ['Rex']);
  });
});
