import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { addAnimals, names, order, row, state } from './support/console.ts';
import { openByKeyboard } from './support/keyboard.ts';

describe('By keyboard alone', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a name and two keys sell an animal; arrows move through the rows', async (t) => {
    const keyboard = await openByKeyboard(t, (service) => addAnimals(service, ['Rex', 'Luna', 'Milo']));
    if (!keyboard) return;
    const { page, press, type } = keyboard;
    const isAt = (name: string) => page.locator('.row-name:focus', { hasText: name }).waitFor();
    await eventuallyEqual(async () => (await names(page)).length, 3);
    await press('/');
    await type('lun');
    await press('Enter');
    await isAt('Luna');
    await press('s');
    await eventuallyEqual(() => state(page, 'Luna'), 'Sold Undo');
    await isAt('Luna');
    await press('u');
    await eventuallyEqual(() => state(page, 'Luna'), 'Available');
    await press('/');
    await press('Backspace');
    await press('ArrowDown');
    await isAt('Milo');
    await press('ArrowDown');
    await press('ArrowDown');
    await isAt('Rex');
    await press('k');
    await isAt('Luna');
    await press('r');
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved Undo');
    await press('ArrowUp');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Milo' }).waitFor();
  });

  it('rows are ticked, and sold together', async (t) => {
    const keyboard = await openByKeyboard(t, (service) =>
      addAnimals(service, ['Rex', 'Luna', 'Milo', 'Otis']),
    );
    if (!keyboard) return;
    const { page, press, tabTo } = keyboard;
    const bar = page.getByRole('group', { name: 'Selected animals' });
    await tabTo(/^Otis/);
    await press(' ');
    await bar.getByText('1 selected').waitFor();
    await press('Escape');
    await bar.waitFor({ state: 'detached' });
    await press('x');
    await press('j');
    await press('j');
    await press('Shift+X');
    await bar.getByText('3 selected').waitFor();
    await press('r');
    await press('s');
    await bar.getByText('3 animals sold').waitFor();
    await eventuallyEqual(() => state(page, 'Luna'), 'Sold Undo');
    assert.equal(await state(page, 'Rex'), 'Available');
    await tabTo(/^Undo: 3 animals sold/);
    await press('Enter');
    await eventuallyEqual(() => state(page, 'Otis'), 'Available');
  });

  it('an animal is added, corrected, removed and restored, with undo', async (t) => {
    const keyboard = await openByKeyboard(t, async () => undefined);
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    await choose(/^Add an animal/, page.locator('#add-name:focus'));
    await type('Rex');
    await tabTo(/^Category/);
    await type('7');
    await press('Enter');
    await press('Enter');
    await row(page, 'Rex').waitFor();
    await page.locator('#add-name:focus').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const panel = page.getByRole('dialog', { name: 'Rex' });
    await choose(/^Rex/, panel);
    await choose(/^Edit$/, page.locator('#edit-name:focus'));
    await press('ControlOrMeta+a');
    await type('Rex the Second');
    await press('Enter');
    await page.getByRole('heading', { name: 'Rex the Second' }).waitFor();
    await choose(/^Undo the renaming/, page.getByRole('heading', { name: 'Rex', exact: true }));
    await choose(/^Remove$/, panel.getByRole('button', { name: 'Keep' }));
    await choose(/^Remove$/, panel.getByRole('button', { name: /^Undo the removal/ }));
    await choose(/^Undo the removal/, panel.getByRole('button', { name: 'Sell', exact: true }));
    await choose(/^Remove$/, panel.getByRole('button', { name: 'Keep' }));
    await choose(/^Remove$/, panel.getByRole('button', { name: /^Undo the removal/ }));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(/^Removed animals$/, page.getByRole('heading', { level: 1, name: 'Removed' }));
    await choose(/^Restore “.*Rex/, row(page, 'Rex').getByText('Undo'));
  });

  it('an animal is reserved and sold in its row and in its panel, with undo', async (t) => {
    const keyboard = await openByKeyboard(t, (service) => addAnimals(service, ['Rex', 'Luna']));
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    const luna = row(page, 'Luna');
    await choose(/^Reserve “.*Luna/, luna.getByText('Undo'));
    await choose(/^Undo the reservation of “.*Luna/, luna.getByText('Available'));
    await choose(/^Sell “.*Luna/, luna.getByText('Sold'));
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await choose(/^Rex/, panel);
    await tabTo(/^Note/);
    await type('for Ms Lee');
    await choose(/^Reserve$/, panel.getByText('for Ms Lee').first());
    await choose(/^Cancel reservation$/, panel.getByRole('button', { name: 'Reserve', exact: true }));
    await choose(/^Sell$/, panel.getByText('Sold').first());
    await choose(/^Undo the sale/, panel.getByRole('button', { name: 'Sell', exact: true }));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('orders are sold and cancelled, and animals are found and filtered', async (t) => {
    const keyboard = await openByKeyboard(t, async (service) => {
      await addAnimals(service, ['Rex', 'Luna']);
      for (const id of [1, 2]) await order(service, id);
    });
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    await tabTo(/^Find an animal/);
    await type('lu');
    await row(page, 'Rex').waitFor({ state: 'detached' });
    await choose(/^Available/, page.getByRole('heading', { name: /^No available animal/ }));
    await choose(/^Search all animals$/, row(page, 'Luna'));
    await choose(/^Orders$/, page.getByRole('heading', { level: 1, name: 'Orders' }));
    await choose(/^Sell “.*Luna/, row(page, 'Luna').getByText('Sold').first());
    // What is reserved again is another order, in a row of its own.
    await tabTo(/^Undo the sale of “.*Luna/);
    await press('Enter');
    await row(page, 'Luna').getByText('Reserved').first().waitFor();
    await choose(/^Cancel the reservation of “.*Rex/, row(page, 'Rex').getByText('Cancelled').first());
    await choose(/^Luna/, page.getByRole('dialog', { name: 'Luna' }));
  });

  it('categories are named, renamed and removed, and what happened is read', async (t) => {
    const keyboard = await openByKeyboard(t, (service) => addAnimals(service, ['Rex']));
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    await choose(/^Categories$/, page.getByRole('heading', { level: 1, name: 'Categories' }));
    await choose(/^Give a name to category 7$/, page.getByRole('textbox', { name: 'Name of category 7' }));
    await type('Dogs');
    await press('Enter');
    await row(page, 'Dogs').waitFor();
    await tabTo(/^Name of a new category$/);
    await type('Cats');
    await press('Enter');
    await row(page, 'Cats').waitFor();
    await choose(/^Rename “.*Cats/, page.getByRole('textbox', { name: /^New name for .*Cats/ }));
    await type('Felines');
    await press('Escape');
    await choose(/^Remove “.*Cats/, row(page, 'Cats').getByText('Removed'));
    await choose(
      /^Undo the removal of the category “.*Cats/,
      page.getByRole('button', { name: /^Remove .*Cats/ }),
    );
    await choose(/^Activity$/, page.getByRole('heading', { level: 1, name: 'Activity' }));
    await choose(/^Rex$/, page.getByRole('dialog', { name: 'Rex' }));
  });

  it('a key is created, shown, rotated and revoked', async (t) => {
    const keyboard = await openByKeyboard(t, async () => undefined);
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    const secret = page.getByRole('heading', { name: /^The key for/ });
    await choose(/^Keys$/, page.getByRole('heading', { level: 1, name: 'Keys' }));
    await tabTo(/^Who or what is it for/);
    await type('till 4');
    await tabTo(/^Reserve and sell/);
    await press(' ');
    await tabTo(/^Ends$/);
    await press('End');
    await choose(/^Create key$/, secret);
    await choose(/^I have it$/, page.getByRole('button', { name: /^Rotate .*till 4/ }));
    await secret.waitFor({ state: 'detached' });
    await choose(/^Rotate “.*till 4/, secret);
    await choose(/^Revoke “.*till 4/, page.getByRole('button', { name: 'Revoke key' }));
    await choose(/^Keep$/, page.getByRole('button', { name: /^Revoke “/ }).first());
    await choose(/^Revoke “.*till 4/, page.getByRole('button', { name: 'Revoke key' }));
    await choose(/^Revoke key$/, page.getByText(/^Revoked/).first());
  });

  it('/ leads to the search of animals and of orders, from everywhere but a field', async (t) => {
    const keyboard = await openByKeyboard(t, async (service) => {
      await addAnimals(service, ['Rex', 'Luna']);
      await order(service, 1);
    });
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    const search = page.locator('#search:focus');
    await tabTo(/^Rex/);
    await press('/');
    await search.waitFor();
    await type('a/b');
    assert.equal(await search.inputValue(), 'a/b');
    await tabTo(/^Clear the search$/);
    await press('/');
    await type('lu');
    assert.equal(await search.inputValue(), 'lu', 'what was there is replaced');
    await choose(/^Luna/, page.getByRole('dialog', { name: 'Luna' }));
    await tabTo(/^Note/);
    await press('/');
    assert.equal(await page.locator('input:focus, textarea:focus').inputValue(), '/');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(/^Orders$/, page.getByRole('heading', { level: 1, name: 'Orders' }));
    await press('/');
    await search.waitFor();
  });
});
