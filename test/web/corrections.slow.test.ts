import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAnimals,
  button,
  counts,
  focused,
  link,
  message,
  nameField,
  names,
  openConsole,
  order,
  place,
  row,
  state,
  undo,
} from './support/console.ts';
import {
  categoryField,
  historyTexts,
  inPanel,
  noteField,
  openPanel,
  panel,
  panelState,
  storedAnimals,
} from './support/panel.ts';

/** Dogs are 1, Cats are 2. */
const addCategories = async (service: Service) => {
  for (const name of ['Dogs', 'Cats']) await service.call('POST', '/v1/categories', { body: { name } });
};

describe('Correcting the inventory', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('changes name and category in the panel, says what an Undo undoes, and takes it back', async (t) => {
    const prepare = async (one: Service) => {
      await addCategories(one);
      await addAnimals(one, [{ name: 'Bisquit', categoryId: 1 }]);
    };
    const { page, service } = (await openConsole(t, [], { prepare })) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Bisquit');
    await inPanel(page, 'Edit').click();
    await focused(nameField(page));
    assert.equal(
      await page
        .locator('.panel')
        .getByLabel(/Status|State/)
        .count(),
      0,
      'a state is no field',
    );
    await nameField(page).fill('  ');
    await inPanel(page, 'Save').click();
    await page.getByText('Enter a name.').waitFor();
    await nameField(page).fill(' Biscuit ');
    await categoryField(page).fill('cats');
    await page.keyboard.press('Enter');
    await message(page, 'Bisquit was renamed to Biscuit and was moved from Dogs to Cats.');
    await focused(panel(page, 'Biscuit'));
    const stored = { id: 1, status: 'available' };
    assert.deepEqual(await storedAnimals(service), [{ ...stored, name: 'Biscuit', categoryId: 2 }]);
    await undo(page, 'the change of .*Bisquit').click();
    await message(page, 'Undone: Biscuit was renamed to Bisquit and was moved from Cats to Dogs.');
    await panel(page, 'Bisquit').waitFor();
    assert.deepEqual(await storedAnimals(service), [{ ...stored, name: 'Bisquit', categoryId: 1 }]);
    await eventuallyEqual(async () => (await historyTexts(page)).length, 3);
    assert.match(
      (await historyTexts(page))[1] ?? '',
      /^Renamed from .*Bisquit.*, moved from .*Dogs.* to .*Cats.* by /,
    );
  });

  it('does not overwrite what someone else has changed meanwhile', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Max');
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis', categoryId: 3 } });
    await inPanel(page, 'Save').click();
    await message(page, 'Not saved: someone else has changed Rex meanwhile. Look at it and save again.');
    await eventuallyEqual(() => categoryField(page).inputValue(), '3');
    assert.equal(await nameField(page).inputValue(), 'Max');
    assert.equal((await storedAnimals(service))[0]?.name, 'Otis');
    await nameField(page).press('Enter');
    await panel(page, 'Max').waitFor();
    const [{ name, categoryId } = {}] = await storedAnimals(service);
    assert.deepEqual([name, categoryId], ['Max', 3]);
  });

  it('asks once before what was typed is lost', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'], { prepare: (one) => order(one, 1) })) ?? {};
    if (!page) return;
    await openPanel(page, 'Luna');
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    const goOn = button(page, 'Go on typing');
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Lunar');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => inPanel(page, 'Close').click(),
      () => place(page, 'Orders').click(),
      () => row(page, 'Luna').locator('.cells a').click(),
    ]) {
      await leave();
      await question.waitFor();
      await focused(goOn);
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
    await link(page, 'Rex').click();
    await inPanel(page, 'Add a note').click();
    await noteField(page).fill('for Ms Lee');
    await place(page, 'Keys').click();
    await button(page, 'Discard').click();
    await eventuallyEqual(() => page.title(), 'Keys · Animal Store');
    assert.equal(await question.count(), 0);
  });

  it('removes an animal for a reason, and takes it back', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Luna');
    const dialog = page.getByRole('dialog', { name: 'Remove \u2068Luna\u2069?' });
    const remove = dialog.getByRole('button', { name: 'Remove' });
    await inPanel(page, 'Remove').click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await focused(panel(page, 'Luna'));
    await inPanel(page, 'Remove').press('Enter');
    await dialog.getByText('Given away').click();
    await remove.click();
    await message(page, 'Luna was removed.');
    assert.equal(await panelState(page), 'Removed');
    await panel(page, 'Luna').locator('.order').getByText('Given away').waitFor();
    assert.equal(await row(page, 'Luna').locator('.note').innerText(), 'Given away');
    assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex'], 'the row stays where it is');
    await eventuallyEqual(() => counts(page), ['2', '0', '0', '2']);
    await undo(page, 'the removal of .*Luna').click();
    await eventuallyEqual(() => panelState(page), 'Available');
    await inPanel(page, 'Remove').click();
    await dialog.getByText('Other…').click();
    await dialog.getByLabel('Reason').fill('Moved to the farm');
    await page.keyboard.press('Enter');
    await panel(page, 'Luna').locator('.order').getByText('Moved to the farm').waitFor();
    await inPanel(page, 'Restore').click();
    await message(page, 'Luna is restored.');
    assert.equal((await storedAnimals(service)).length, 3);
    await eventuallyEqual(() => state(page, 'Luna'), 'Available');
  });

  it('a category without a name is told by its number, and the panel offers to move the animal', async (t) => {
    const given = [{ name: 'Rex', categoryId: 7 }];
    const { page, service } = (await openConsole(t, given, { prepare: addCategories })) ?? {};
    if (!page || !service) return;
    assert.equal(await row(page, 'Rex').locator('.cells a').innerText(), 'category 7');
    await openPanel(page, 'Rex');
    await panel(page, 'Rex').getByText('category 7, without a name').waitFor();
    await inPanel(page, 'Move it').click();
    assert.equal(await categoryField(page).inputValue(), '7');
    await categoryField(page).fill('Dogs');
    await page.keyboard.press('Enter');
    await message(page, 'Rex was moved from category 7 to Dogs.');
    assert.equal(await inPanel(page, 'Move it').count(), 0);
  });

  it('the history names a category that was removed by its number, whatever was added since', async (t) => {
    const prepare = async (service: Service) => {
      await addCategories(service);
      await addAnimals(service, [{ name: 'Rex', categoryId: 2 }]);
      await service.call('PATCH', '/v1/pets/1', { body: { categoryId: 1 } });
      await service.call('DELETE', '/v1/categories/2');
      await service.call('POST', '/v1/categories', { body: { name: 'Parrots' } });
    };
    const { page } = (await openConsole(t, [], { prepare })) ?? {};
    if (!page) return;
    await openPanel(page, 'Rex');
    await eventuallyEqual(
      async () => (await historyTexts(page))[0]?.replaceAll(/[\u2068\u2069]| by .*/g, ''),
      'Moved from category 2 to Dogs',
    );
  });
});
