import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAnimals,
  animalNames,
  button,
  counts,
  nameField,
  names,
  openConsole,
  order,
  refresh,
  row,
  state,
} from './support/console.ts';
import {
  categoryField,
  historyTexts,
  inPanel,
  openPanel,
  panel,
  panelState,
  storedAnimals,
} from './support/panel.ts';

const addCategories = async (service: Service, ...added: string[]) => {
  for (const name of added) await service.call('POST', '/v1/categories', { body: { name } });
};

describe('Correcting the inventory', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('changes name and category in the panel, says what an Undo undoes, and takes it back', async (t) => {
    const prepare = async (service: Service) => {
      await addCategories(service, 'Dogs', 'Cats');
      await addAnimals(service, [{ name: 'Bisquit', categoryId: 1 }]);
    };
    const { page, service } = (await openConsole(t, [], { prepare })) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Bisquit');
    await inPanel(page, 'Edit').click();
    assert.equal(await page.getByRole('dialog').getByLabel('Status').count(), 0, 'status is not a field');
    await nameField(page).fill(' Biscuit ');
    await categoryField(page).fill('ca');
    // The marked category is chosen by the first Enter; the second one saves.
    await page.getByRole('option', { name: 'Cats', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await categoryField(page).inputValue(), 'Cats');
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    assert.deepEqual(await storedAnimals(service), [
      { id: 1, name: 'Biscuit', categoryId: 2, status: 'available' },
    ]);
    await panel(page, 'Biscuit')
      .getByRole('button', { name: /^Undo the changes of .*Bisquit/ })
      .click();
    await panel(page, 'Bisquit').waitFor();
    await eventuallyEqual(
      () => storedAnimals(service),
      [{ id: 1, name: 'Bisquit', categoryId: 1, status: 'available' }],
    );
    await eventuallyEqual(async () => (await historyTexts(page)).length, 3);
    assert.match(
      (await historyTexts(page))[1] ?? '',
      /^Renamed from .*Bisquit.*, moved from .*Dogs.* to .*Cats.* by /,
    );
  });

  it('creates the category that was typed by Enter', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await inPanel(page, 'Edit').click();
    await categoryField(page).fill('Ragdolls');
    await page.getByRole('option', { name: /^New category .*Ragdolls.* Enter$/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/Ragdolls.* becomes a new category/).waitFor();
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    await panel(page, 'Rex').locator('.panel-facts').getByText('Ragdolls').waitFor();
    assert.match((await service.call('GET', '/v1/categories')).text, /Ragdolls/);
  });

  it('keeps what was typed when the form is left, until it is saved or discarded', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page) return;
    await openPanel(page, 'Luna');
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('  ');
    await inPanel(page, 'Save').click();
    await page.getByText('Enter a name.').waitFor();
    await nameField(page).fill('Lunar');
    await page.keyboard.press('Escape');
    await inPanel(page, 'Continue editing').click();
    await eventuallyEqual(() => nameField(page).inputValue(), 'Lunar');
    await page.getByText('You typed this before and have not saved it.').waitFor();
    await inPanel(page, 'Next animal').click();
    await panel(page, 'Rex').getByRole('heading', { name: 'Rex' }).waitFor();
    await inPanel(page, 'Edit').click();
    await eventuallyEqual(() => nameField(page).inputValue(), 'Rex');
    await inPanel(page, 'Previous animal').click();
    await inPanel(page, 'Continue editing').click();
    await eventuallyEqual(() => nameField(page).inputValue(), 'Lunar');
    await inPanel(page, 'Discard').click();
    await inPanel(page, 'Edit').press('Enter');
    await eventuallyEqual(() => nameField(page).inputValue(), 'Luna');
  });

  it('removes an animal in its place, for a reason, and takes it back', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Luna');
    await inPanel(page, 'Remove').click();
    await inPanel(page, 'Keep').click();
    await page.mouse.move(0, 0);
    await inPanel(page, 'Remove').press('Enter');
    await inPanel(page, 'Given away').click();
    await inPanel(page, 'Remove').click();
    await panel(page, 'Luna').locator('.order').getByText('Given away').waitFor();
    await eventuallyEqual(() => state(page, 'Luna'), 'Removed Given away Undo');
    assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex'], 'the row stays where it is');
    await eventuallyEqual(() => counts(page), ['2', '2', '0', '0']);
    await page.mouse.move(0, 0);
    await inPanel(page, /^Undo the removal of/).click();
    await eventuallyEqual(() => panelState(page), 'Available');
    await page.mouse.move(0, 0);
    await inPanel(page, 'Remove').click();
    await inPanel(page, 'Other…').click();
    await page.keyboard.type('Moved to the farm');
    await page.keyboard.press('Enter');
    await panel(page, 'Luna').locator('.order').getByText('Moved to the farm').waitFor();
    await page.getByText('Later: Restore, in Removed animals.').waitFor();
  });

  it('restores an animal that was removed elsewhere, and shows that in its row', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna']);
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    await service.call('DELETE', '/v1/pets/1');
    await refresh(opened);
    await eventuallyEqual(() => state(page, 'Rex'), 'Removed');
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
    await openPanel(page, 'Rex');
    await inPanel(page, 'Restore').click();
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    assert.equal((await storedAnimals(service)).length, 2);
  });

  it('does not remove an animal that is reserved', async (t) => {
    const { page } = (await openConsole(t, ['Rex'], { prepare: (service) => order(service, 1) })) ?? {};
    if (!page) return;
    await openPanel(page, 'Rex');
    await page.getByText('Remove: cancel the reservation first').waitFor();
    assert.equal(await inPanel(page, 'Remove').count(), 0);
  });

  it('opens a link to an animal beyond the first page, and one to an animal that does not exist', async (t) => {
    const { page } = (await openConsole(t, animalNames(60))) ?? {};
    if (!page) return;
    await row(page, 'Animal 60').waitFor();
    assert.equal(await row(page, 'Animal 1').count(), 0);
    await page.evaluate("location.hash = '#/animals?animal=1'");
    await panel(page, 'Animal 1').getByRole('heading', { name: 'Animal 1', exact: true }).waitFor();
    await page.evaluate("location.hash = '#/animals?animal=999'");
    await panel(page, 'Animal 999').getByText('No animal has the id 999').waitFor();
    await button(page, 'Close').click();
    await page.locator('.panel').waitFor({ state: 'detached' });
  });
});
