import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import {
  button,
  counts,
  nameField,
  names,
  openConsole,
  order,
  place,
  refresh,
  row,
  state,
} from './support/console.ts';

const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const openPanel = async (page: Page, name: string) => {
  await row(page, name).getByRole('link').click();
  await panel(page, name).waitFor();
};
const statusField = (page: Page) => page.getByRole('dialog').getByLabel('Status', { exact: true });
const change = (service: Service, id: number, body: object) =>
  service.call('PATCH', `/v1/pets/${id}`, { body });
const list = async (service: Service, query = '') =>
  JSON.parse((await service.call('GET', `/v1/pets${query}`)).text) as {
    name: string;
    categoryId: number;
    status: string;
  }[];

describe('Correcting the inventory', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('changes name, category and status in the panel, and takes it back', async (t) => {
    const { page, service } = (await openConsole(t, ['Bisquit', 'Luna'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Bisquit');
    await button(page, 'Edit').click();
    await nameField(page).fill(' Biscuit ');
    await page.getByLabel('Category', { exact: true }).fill('3');
    await statusField(page).selectOption('Sold');
    await page.keyboard.press('Tab');
    await button(page, 'Save').click();
    await eventually(() => state(page, 'Biscuit'), 'Sold Undo');
    assert.deepEqual((await list(service)).at(-1), {
      id: 1,
      name: 'Biscuit',
      categoryId: 3,
      status: 'sold',
    });
    await eventually(() => counts(page), ['2', '1', '0', '1']);
    await panel(page, 'Biscuit').getByText('Undo').click();
    await eventually(() => state(page, 'Bisquit'), 'Available Undo');
    assert.deepEqual((await list(service)).at(-1), {
      id: 1,
      name: 'Bisquit',
      categoryId: 7,
      status: 'available',
    });
    await panel(page, 'Bisquit').getByText('Undo').click();
    await eventually(() => state(page, 'Biscuit'), 'Sold Undo');
  });

  it('says that someone else was faster, keeps what was typed, and saves it when asked again', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await button(page, 'Edit').click();
    await nameField(page).fill('Rexi');
    await change(service, 1, { name: 'Max', status: 'sold' });
    await button(page, 'Save').click();
    await page.getByText(/Someone else has changed this animal meanwhile. It is now Max, .*Sold/).waitFor();
    assert.equal(await nameField(page).inputValue(), 'Rexi');
    assert.equal((await list(service))[0]?.name, 'Max', 'nothing was overwritten');
    await button(page, 'Save').click();
    await eventually(() => names(page), ['Rexi']);
  });

  it('does not undo what someone else has changed since', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await button(page, 'Edit').click();
    await nameField(page).fill('Rexi');
    await page.keyboard.press('Enter');
    await eventually(() => state(page, 'Rexi'), 'Available Undo');
    await change(service, 1, { name: 'Max' });
    await panel(page, 'Rexi').getByText('Undo').click();
    await eventually(() => state(page, 'Max'), 'Not undone: it was changed elsewhere meanwhile');
    assert.equal((await list(service))[0]?.name, 'Max');
  });

  it('shows the problem of a field, and discards what was typed', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await button(page, 'Edit').click();
    await nameField(page).fill('  ');
    await button(page, 'Save').click();
    await page.getByText('Enter a name.').waitFor();
    await page.keyboard.press('Escape');
    await panel(page, 'Rex').getByRole('heading', { name: 'Rex' }).waitFor();
    assert.equal((await list(service))[0]?.name, 'Rex');
  });

  it('keeps what was typed when the form is left, until it is saved or discarded', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page) return;
    await openPanel(page, 'Luna');
    await button(page, 'Edit').click();
    await nameField(page).fill('Lunar');
    await page.keyboard.press('Escape');
    await button(page, 'Edit').click();
    await eventually(() => nameField(page).inputValue(), 'Lunar');
    await page.getByText('You typed this before and have not saved it.').waitFor();
    await button(page, 'Next animal').click();
    await panel(page, 'Rex').getByRole('heading', { name: 'Rex' }).waitFor();
    await button(page, 'Edit').click();
    await eventually(() => nameField(page).inputValue(), 'Rex');
    await button(page, 'Previous animal').click();
    await panel(page, 'Luna').getByRole('heading', { name: 'Luna' }).waitFor();
    await button(page, 'Edit').click();
    await eventually(() => nameField(page).inputValue(), 'Lunar');
    await button(page, 'Discard changes').click();
    await button(page, 'Edit').press('Enter');
    await eventually(() => nameField(page).inputValue(), 'Luna');
  });

  it('removes an animal in its place, takes it back, and lists what was removed', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Luna');
    await button(page, 'Remove').click();
    await eventually(() => state(page, 'Luna'), 'Removed Undo');
    assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex'], 'the row stays where it is');
    await eventually(() => counts(page), ['2', '2', '0', '0']);
    await panel(page, 'Luna').getByText('Undo').click();
    await eventually(() => state(page, 'Luna'), 'Available Undo');
    await eventually(() => counts(page), ['3', '3', '0', '0']);
    await page.mouse.move(0, 0);
    await button(page, 'Remove').click();
    await eventually(() => state(page, 'Luna'), 'Removed Undo');
    await page.keyboard.press('Escape');
    await service.call('DELETE', '/v1/pets/3?reason=died');
    await page.getByRole('link', { name: 'Removed', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Removed' }).waitFor();
    await eventually(() => names(page), ['Milo', 'Luna']);
    assert.match(await state(page, 'Milo'), /^Removed \w+ at \d\d:\d\d · died$/);
    assert.match(await state(page, 'Luna'), /^Removed \w+ at \d\d:\d\d$/);
    await openPanel(page, 'Milo');
    await panel(page, 'Milo')
      .getByText(/^\w+ at \d\d:\d\d: died$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await button(page, /^Restore .*Luna/).click();
    await eventually(() => state(page, 'Luna'), 'Available Undo');
    assert.equal((await list(service)).length, 2);
    await place(page, 'Animals').click();
    await eventually(() => names(page), ['Luna', 'Rex']);
  });

  it('shows in its row that an animal was removed elsewhere', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna']);
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => names(page), ['Luna', 'Rex']);
    await service.call('DELETE', '/v1/pets/1');
    await refresh(opened);
    await eventually(() => state(page, 'Rex'), 'Removed');
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
  });

  it('a second click in the panel does nothing', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    const box = await button(page, 'Reserve').last().boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x, y);
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
    await page.mouse.click(x, y);
    await page.mouse.move(0, 0);
    await page.mouse.click(x, y);
    await eventually(() => state(page, 'Rex'), 'Available Undo');
    assert.match((await service.call('GET', '/v1/store/orders')).text, /^\[\{[^}]*"cancelled"[^}]*\}\]$/);
  });

  it('keeps an animal with an order: its status follows the order', async (t) => {
    const { page } = (await openConsole(t, ['Rex'], { prepare: (service) => order(service, 1) })) ?? {};
    if (!page) return;
    await openPanel(page, 'Rex');
    await page.getByText('Remove: once its order is closed').waitFor();
    await button(page, 'Edit').click();
    await page.getByText('Its status follows order 1.').waitFor();
    assert.equal(await statusField(page).count(), 0);
  });
});
