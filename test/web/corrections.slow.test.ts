import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import * as panels from './support/panel.ts';

const { categoryField, inPanel, openPanel, panel, panelState, storedAnimals } = panels;
const { addAnimals, button, focused, inConsole, message, nameField, names, row, state } = ui;

/** Dogs are 1, Cats are 2. */
const addCategories = async (service: Service) => {
  for (const name of ['Dogs', 'Cats']) await service.call('POST', '/v1/categories', { body: { name } });
};
const remove = (service: Service, id: number, reason = '', options = {}) =>
  service.call('DELETE', `/v1/pets/${id}${reason && `?reason=${encodeURIComponent(reason)}`}`, options);
const listed = async (service: Service) => (await storedAnimals(service)).map(({ name }) => name);

describe('Correcting the inventory', { concurrency: 2 }, () => {
  after(closeBrowser);

  const bisquit = {
    prepare: async (service: Service) => {
      await addCategories(service);
      await addAnimals(service, [{ name: 'Bisquit', categoryId: 1 }]);
    },
  };
  inConsole('changes name and category in the panel, with Undo', bisquit, async ({ page, service }) => {
    await openPanel(page, 'Bisquit');
    await inPanel(page, 'Edit').click();
    await focused(nameField(page));
    const states = page.locator('.panel').getByLabel(/Status|State/);
    assert.equal(await states.count(), 0, 'a state is no field');
    await nameField(page).fill(' Biscuit ');
    await categoryField(page).fill('cats');
    await page.keyboard.press('Enter');
    await message(page, 'Bisquit was renamed to Biscuit and was moved from Dogs to Cats.');
    await focused(panel(page, 'Biscuit'));
    await ui.undo(page, 'the change of .*Bisquit').click();
    await message(page, 'Undone: Biscuit was renamed to Bisquit and was moved from Cats to Dogs.');
    await panel(page, 'Bisquit').waitFor();
    assert.deepEqual(await listed(service), ['Bisquit']);
  });

  const reserved = { animals: ['Rex', 'Luna'], prepare: (service: Service) => ui.order(service, 1) };
  inConsole('asks once before what was typed is lost', reserved, async ({ page }) => {
    await openPanel(page, 'Luna');
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Lunar');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => inPanel(page, 'Close').click(),
      () => ui.place(page, 'Orders').click(),
      () => row(page, 'Luna').locator('.cells a').click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave();
      await question.waitFor();
      await focused(button(page, 'Go on typing'));
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await eventuallyEqual(() => nameField(page).inputValue(), 'Lunar');
    }
    await page.keyboard.press('Escape');
    await button(page, 'Discard').last().click();
    await panel(page, 'Luna').waitFor();
    assert.equal(await panelState(page), 'Available');
    // Once it is discarded, or was not changed, nothing is asked.
    await inPanel(page, 'Edit').click();
    await eventuallyEqual(() => nameField(page).inputValue(), 'Luna');
    await page.goto(page.url().replace(/#.*/, '#/animals?status=pending'));
    await ui.link(page, 'Rex').click();
    await inPanel(page, 'Add a note').click();
    await panels.noteField(page).fill('for Ms Lee');
    await ui.place(page, 'Keys').click();
    await button(page, 'Discard').click();
    await eventuallyEqual(() => page.title(), 'Keys · Animal Store');
    assert.equal(await question.count(), 0);
  });

  const three = { animals: ['Rex', 'Luna', 'Milo'] };
  inConsole('removes an animal for a reason, and takes it back', three, async ({ page, service }) => {
    await openPanel(page, 'Luna');
    const dialog = page.getByRole('dialog', { name: 'Remove \u2068Luna\u2069?' });
    await inPanel(page, 'Remove').click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await focused(panel(page, 'Luna'));
    await inPanel(page, 'Remove').press('Enter');
    await dialog.getByText('Other…').click();
    await dialog.getByLabel('Reason').fill('Moved to the farm');
    await page.keyboard.press('Enter');
    await message(page, 'Luna was removed.');
    assert.equal(await panelState(page), 'Removed');
    await panel(page, 'Luna').locator('.order').getByText('Moved to the farm').waitFor();
    assert.equal(await row(page, 'Luna').locator('.note').innerText(), 'Moved to the farm');
    assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex'], 'the row stays where it is');
    await eventuallyEqual(() => ui.counts(page), ['2', '0', '0', '2']);
    await ui.undo(page, 'the removal of .*Luna').click();
    await eventuallyEqual(() => panelState(page), 'Available');
    assert.equal((await listed(service)).length, 3);
  });

  const removed = {
    animals: ['Rex', 'Luna', 'Otis'],
    path: '/#/animals?status=removed',
    prepare: async (service: Service) => {
      await remove(service, 1, 'Given away', { key: await keyWith(service, ['pets:write'], 'till 3') });
      await remove(service, 2);
    },
  };
  inConsole('finds what is removed, with its reason, and restores it', removed, async ({ page, service }) => {
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    const reason = (name: string) => row(page, name).locator('.note').innerText();
    assert.deepEqual([await reason('Rex'), await reason('Luna')], ['Given away', '']);
    // What is removed meanwhile waits until it is asked for.
    await remove(service, 3, 'Died');
    await button(page, '1 new animal – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);
    await ui.search(page).fill('re');
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.match(page.url(), /status=removed&name=re$/);
    await ui.search(page).fill('nobody');
    await page.getByRole('heading', { name: /^No removed animal is called .*nobody/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);
    await ui.link(page, 'Rex').click();
    const removal = panel(page, 'Rex').getByText(/^Removed .* by .*till 3/);
    await removal.waitFor();
    await page.keyboard.press('Escape');
    // Nothing is under the second click.
    await button(page, /^Restore .*Rex/).dblclick();
    await message(page, 'Rex is restored.');
    assert.equal(await state(page, 'Rex'), 'Available');
    assert.deepEqual(await listed(service), ['Rex']);
    assert.deepEqual(await names(page), ['Otis', 'Luna', 'Rex'], 'the row stays');
    await ui.undo(page, 'the restoring of .*Rex').click();
    await eventuallyEqual(() => reason('Rex'), 'Given away');
    for (const name of ['Otis', 'Luna'])
      await page.getByRole('checkbox', { name: `Select \u2068${name}\u2069` }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
    await message(page, '2 animals were restored.');
    assert.deepEqual(await listed(service), ['Otis', 'Luna']);
    // A key that only sees them has nothing to press.
    await page.reload();
    await signIn(page, await keyWith(service, ['pets:read']));
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await page.locator('.row').locator('button, input').count(), 0);
  });

  const unnamed = {
    prepare: async (service: Service) => {
      await addCategories(service);
      await addAnimals(service, [{ name: 'Wrex', categoryId: 2 }]);
      await service.call('PATCH', '/v1/pets/1', { body: { name: 'Rex', categoryId: 7 } });
      await service.call('DELETE', '/v1/categories/2');
      await service.call('POST', '/v1/categories', { body: { name: 'Parrots' } });
    },
  };
  inConsole('tells a category without a name by its number, also in the history', unnamed, async (opened) => {
    const { page } = opened;
    await eventuallyEqual(() => row(page, 'Rex').locator('.cells a').innerText(), 'category 7');
    await openPanel(page, 'Rex');
    await panel(page, 'Rex').getByText('category 7, without a name').waitFor();
    await inPanel(page, 'Move it').click();
    assert.equal(await categoryField(page).inputValue(), '7');
    await categoryField(page).fill('Dogs');
    await page.keyboard.press('Enter');
    await message(page, 'Rex was moved from category 7 to Dogs.');
    assert.equal(await inPanel(page, 'Move it').count(), 0);
    const history = async () =>
      (await panels.historyTexts(page)).join('. ').replaceAll(/[\u2068\u2069]| by [^.]*/g, '');
    const renamed = 'Renamed from “Wrex”, moved from category 2 to category 7';
    await eventuallyEqual(history, `Moved from category 7 to Dogs. ${renamed}. Added`);
  });
});
