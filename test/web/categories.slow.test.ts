import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, names, openConsole, order, place, row, state } from './support/console.ts';

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
  ((await service.call('GET', '/v1/categories')).json as { name: string }[]).map((one) => one.name);
/** The numbers of a row: available, reserved, sold and all. */
const figures = (page: Page, called: string) => row(page, called).locator('.n').allInnerTexts();
const filter = (page: Page) => page.getByRole('combobox', { name: 'Category', exact: true });
const newName = (page: Page) => page.getByLabel('Name of a new category');

describe('Categories by name', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('show in rows and panel, with a tag of two letters, and filter the list', async (t) => {
    const { page } = (await openConsole(t, SHOP, { prepare: dogsAndCats })) ?? {};
    if (!page) return;
    await eventuallyEqual(() => row(page, 'Rex').locator('.row-category').innerText(), 'Dogs');
    assert.equal(await row(page, 'Rex').locator('.tag').innerText(), 'Do');
    await filter(page).selectOption('Cats');
    await eventuallyEqual(() => names(page), ['Luna']);
    assert.match(page.url(), /#\/animals\?category=2$/);
    await row(page, 'Luna').getByRole('link').click();
    await page.getByRole('dialog', { name: 'Luna' }).getByText('Cats').waitFor();
    await page.goBack();
    await page.goBack();
    await eventuallyEqual(() => names(page), ['Atlas', 'Luna', 'Rex']);
    assert.equal(await filter(page).inputValue(), '');
    // Those that nobody has named are found by their number.
    await filter(page).selectOption('Category 99');
    await eventuallyEqual(() => names(page), ['Atlas']);
  });

  it('count their animals by status, with a total, and lead to them', async (t) => {
    const opened = await openConsole(t, [...SHOP, { name: 'Max', categoryId: 1 }], {
      path: '/#/categories',
      prepare: async (service) => {
        await dogsAndCats(service);
        await order(service, 1);
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'No name yet', 'All categories']);
    await eventuallyEqual(() => figures(page, 'Dogs'), ['1', '1', '0', '2']);
    await eventuallyEqual(() => figures(page, 'No name yet'), ['1', '0', '0', '1']);
    await eventuallyEqual(() => figures(page, 'All categories'), ['3', '1', '0', '4']);
    assert.equal(await row(page, 'Dogs').locator('.id').innerText(), 'id 1', 'not to be read as a count');
    await order(service, 4);
    await eventuallyEqual(() => figures(page, 'Dogs'), ['0', '2', '0', '2']);
    await page.getByRole('link', { name: /^2 reserved in .*Dogs/ }).click();
    await eventuallyEqual(() => names(page), ['Max', 'Rex']);
    assert.match(page.url(), /#\/animals\?status=pending&category=1$/);
    await page.goBack();
    await page.getByRole('link', { name: /^Cats/ }).click();
    await eventuallyEqual(() => names(page), ['Luna']);
  });

  it('without a name that no row shows are counted together, so that the rows add up', async (t) => {
    const dogs = Array.from({ length: 100 }, (_, index) => ({ name: `Dog ${index}`, categoryId: 1 }));
    const opened = await openConsole(t, [{ name: 'Atlas', categoryId: 99 }, ...dogs], {
      path: '/#/categories',
      prepare: (service) => name(service, 1, 'Dogs'),
    });
    if (!opened) return;
    const { page, service } = opened;
    const others = 'Other categories without a name';
    await eventuallyEqual(() => names(page), ['Dogs', others, 'All categories']);
    assert.deepEqual(await figures(page, others), ['1', '0', '0', '1']);
    await order(service, 1);
    await eventuallyEqual(() => figures(page, others), ['0', '1', '0', '1']);
    assert.deepEqual(await figures(page, 'All categories'), ['100', '1', '0', '101']);
    // Without a name it is round, stone-coloured, with a dash.
    await place(page, 'Orders').click();
    assert.equal(await row(page, 'Atlas').locator('.tag.shape-0.stone').innerText(), '–');
  });

  it('are added one after the other, each once', async (t) => {
    const opened = await openConsole(t, [], { path: '/#/categories', prepare: dogsAndCats });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'All categories']);
    // Faster than the service answers.
    let answer = () => {};
    const asked = new Promise<void>((done) => (answer = done));
    await page.route('**/v1/categories', async (call) => {
      if (call.request().method() === 'POST') await asked;
      await call.continue();
    });
    for (const called of ['Fish', 'Birds']) {
      await newName(page).pressSequentially(called);
      await page.keyboard.press('Enter');
    }
    answer();
    await eventuallyEqual(() => names(page), ['Birds', 'Fish', 'Cats', 'Dogs', 'All categories']);
    await newName(page).fill('Hamsters');
    await button(page, 'Add').dblclick();
    await eventuallyEqual(() => categories(service), ['Birds', 'Cats', 'Dogs', 'Fish', 'Hamsters']);
    assert.equal(front.requests.filter((line) => line === 'POST /v1/categories').length, 3);
    await newName(page).fill('dogs');
    await page.keyboard.press('Enter');
    await page.getByText(/dogs.*: Another category has this name\./).waitFor();
    assert.equal(await newName(page).inputValue(), 'dogs');
    await page.locator('#new-category:focus').waitFor();
  });

  it('are named, renamed and removed in their row, each with Undo', async (t) => {
    const opened = await openConsole(t, SHOP, { path: '/#/categories', prepare: dogsAndCats });
    if (!opened) return;
    const { page, service, front } = opened;
    // Nothing moves when a category without a name is counted at last.
    const give = button(page, 'Give a name to category 99');
    front.fault(/inventory\?categoryId=99/, { hold: true });
    await page.reload();
    await signIn(page);
    await give.waitFor();
    assert.deepEqual(await figures(page, 'No name yet'), []);
    const before = await give.boundingBox();
    front.fault();
    await eventuallyEqual(() => figures(page, 'No name yet'), ['1', '0', '0', '1']);
    const after = await give.boundingBox();
    assert.deepEqual(after, before);
    await give.click();
    await page.getByLabel('Name of category 99').fill('Turtles');
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Turtles', 'All categories']);
    await page.locator('.row-name:focus', { hasText: 'Turtles' }).waitFor();
    await button(page, /^Rename .*Cats/).click();
    await page.getByLabel(/New name for/).fill('dogs');
    await page.keyboard.press('Enter');
    await page.locator('.rename').getByText('Another category has this name.').waitFor();
    await page.getByLabel(/New name for/).fill('Wild cats');
    await button(page, 'Save').click();
    await eventuallyEqual(() => state(page, 'Wild cats'), 'Renamed Undo');
    await row(page, 'Wild cats')
      .getByRole('button', { name: /^Undo the new name of .*Cats/ })
      .click();
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Turtles', 'All categories']);
    await newName(page).fill('Hamsters');
    await page.keyboard.press('Enter');
    await button(page, /^Remove .*Hamsters/).click();
    await eventuallyEqual(() => state(page, 'Hamsters'), 'Removed Undo');
    assert.deepEqual(await categories(service), ['Cats', 'Dogs', 'Turtles']);
    await row(page, 'Hamsters').getByText('Undo').click();
    await eventuallyEqual(() => categories(service), ['Cats', 'Dogs', 'Hamsters', 'Turtles']);
  });

  it('with animals are removed once these are moved to another one', async (t) => {
    const opened = await openConsole(t, SHOP, { path: '/#/categories', prepare: dogsAndCats });
    if (!opened) return;
    const { page, service } = opened;
    await button(page, /^Remove .*Dogs/).click();
    await page.getByText('Dogs still has animals. Move its 1 animal to').waitFor();
    await button(page, 'Move and remove').click();
    await page.getByText('Choose a category.', { exact: true }).waitFor();
    await button(page, 'Keep').click();
    await page.locator('.row-name:focus', { hasText: 'Dogs' }).waitFor();
    // An animal that another till has added since is found out by the service.
    await newName(page).fill('Hamsters');
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => figures(page, 'Hamsters'), ['0', '0', '0', '0']);
    const { id } = (
      (await service.call('GET', '/v1/categories')).json as { id: number; name: string }[]
    ).find((one) => one.name === 'Hamsters') ?? { id: 0 };
    await page.route('**/v1/events*', (call) => call.abort());
    await service.call('POST', '/v1/pets', { body: { name: 'Bella', categoryId: id } });
    await button(page, /^Remove .*Hamsters/).click();
    await page.getByLabel('Move to').selectOption('Cats');
    await button(page, 'Move and remove').click();
    await eventuallyEqual(() => state(page, 'Hamsters'), 'Removed');
    assert.deepEqual(await categories(service), ['Cats', 'Dogs']);
    assert.match((await service.call('GET', '/v1/pets?categoryId=2')).text, /Bella/);
    await place(page, 'Animals').click();
    await eventuallyEqual(() => row(page, 'Bella').locator('.row-category').innerText(), 'Cats');
  });

  it('keep rename and remove behind one button on a phone', async (t) => {
    const opened = await openConsole(t, SHOP, {
      path: '/#/categories',
      prepare: dogsAndCats,
      isolated: true,
      viewport: { width: 390, height: 844 },
    });
    if (!opened) return;
    const { page } = opened;
    await row(page, 'Dogs').getByText('1 available').waitFor();
    assert.equal(await button(page, /^Rename “.*Dogs/).isVisible(), false);
    await button(page, /^Rename or remove .*Dogs/).click();
    await button(page, /^Rename “.*Dogs/).click();
    await page.getByLabel(/New name for .*Dogs/).fill('Puppies');
    await button(page, 'Save').click();
    await eventuallyEqual(() => names(page), ['Cats', 'Puppies', 'No name yet', 'All categories']);
  });
});
