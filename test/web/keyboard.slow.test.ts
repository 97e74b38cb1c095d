import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { addAnimals, order, row } from './support/console.ts';
import { openByKeyboard } from './support/keyboard.ts';

describe('By keyboard alone', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('an animal is added, corrected, removed and restored, with undo', async (t) => {
    const keyboard = await openByKeyboard(t, async () => undefined);
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    await choose(/^Add an animal/, page.locator('#add-name:focus'));
    await type('Rex');
    await tabTo(/^Category/);
    await type('7');
    await press('Enter');
    await page.getByText('was added with the id 1.').waitFor({ state: 'attached' });
    await page.locator('#add-name:focus').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const panel = page.getByRole('dialog', { name: 'Rex' });
    const undo = panel.getByRole('button', { name: 'Undo' });
    await choose(/^Rex/, panel);
    await choose(/^Edit$/, page.locator('#edit-name:focus'));
    await press('ControlOrMeta+a');
    await type('Rex the Second');
    await press('Enter');
    await page.getByRole('heading', { name: 'Rex the Second' }).waitFor();
    await choose(/^Undo$/, page.getByRole('heading', { name: 'Rex', exact: true }));
    await choose(/^Remove$/, panel.getByRole('button', { name: 'Restore' }));
    await undo.waitFor();
    await choose(/^Undo$/, panel.getByRole('button', { name: 'Sell now' }));
    await choose(/^Remove$/, panel.getByRole('button', { name: 'Restore' }));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(/^Removed$/, page.getByRole('heading', { level: 1, name: 'Removed' }));
    await choose(/^Restore “.*Rex/, row(page, 'Rex').getByText('Undo'));
    await choose(/^Back to all animals$/, row(page, 'Rex').getByText('Available'));
  });

  it('an animal is reserved and sold in its row and in its panel, with undo', async (t) => {
    const keyboard = await openByKeyboard(t, (service) => addAnimals(service, ['Rex', 'Luna']));
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    const luna = row(page, 'Luna');
    await choose(/^Reserve “.*Luna/, luna.getByText('Undo'));
    await choose(/^Undo$/, luna.getByText('Available'));
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await choose(/^Rex/, panel);
    await tabTo(/^Note for the order/);
    await type('for Ms Lee');
    await choose(/^Reserve$/, panel.getByText('for Ms Lee').first());
    await choose(/^Cancel reservation$/, panel.getByRole('button', { name: 'Sell now' }));
    await choose(/^Sell now$/, panel.getByText('Sold').first());
    await choose(/^Undo$/, panel.getByRole('button', { name: 'Sell now' }));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('orders are completed and cancelled, and animals are found and filtered', async (t) => {
    const keyboard = await openByKeyboard(t, async (service) => {
      await addAnimals(service, ['Rex', 'Luna']);
      for (const id of [1, 2]) await order(service, id);
    });
    if (!keyboard) return;
    const { page, type, tabTo, choose } = keyboard;
    await tabTo(/^Find an animal/);
    await type('lu');
    await row(page, 'Rex').waitFor({ state: 'detached' });
    await choose(/^Available/, page.getByRole('heading', { name: /^No available animal/ }));
    await choose(/^Show all animals$/, row(page, 'Rex'));
    await choose(/^Orders$/, page.getByRole('heading', { level: 1, name: 'Orders' }));
    await choose(/^Complete order 2$/, row(page, 'Luna').getByText('Completed'));
    await choose(/^Undo$/, row(page, 'Luna').getByText('Returned'));
    await choose(/^Cancel order 1$/, row(page, 'Rex').getByText('Cancelled'));
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
    await choose(/^Undo$/, page.getByRole('button', { name: /^Remove .*Cats/ }));
    await choose(/^Activity$/, page.getByText(/^Category .*Cats.* was removed$/));
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
    await tabTo(/^Reserve and sell$/);
    await press(' ');
    await tabTo(/^Ends$/);
    await press('End');
    await choose(/^Create key$/, secret);
    await choose(/^I have it$/, page.getByText(/^Not used yet · made [^·]*$/));
    await page.getByText('See animals, see orders', { exact: true }).waitFor();
    await secret.waitFor({ state: 'detached' });
    await choose(/^Rotate “.*till 4/, secret);
    await choose(/^Revoke “.*till 4/, page.getByRole('dialog'));
    await choose(/^Keep it$/, page.getByRole('button', { name: /^Revoke/ }).first());
    await choose(/^Revoke “.*till 4/, page.getByRole('dialog'));
    await choose(/^Revoke$/, page.getByText(/^Revoked today/));
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
    await tabTo(/^Show all animals$/);
    await press('/');
    await type('lu');
    assert.equal(await search.inputValue(), 'lu', 'what was there is replaced');
    await choose(/^Luna/, page.getByRole('dialog', { name: 'Luna' }));
    await tabTo(/^Note for the order/);
    await press('/');
    assert.equal(await page.locator('input:focus').inputValue(), '/');
    await choose(/^Orders$/, page.getByRole('heading', { level: 1, name: 'Orders' }));
    await press('/');
    await search.waitFor();
  });
});
