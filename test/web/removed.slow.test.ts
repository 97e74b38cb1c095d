import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, link, message, names, openConsole, row, search, state, undo } from './support/console.ts';
import { keyWith } from './support/keys.ts';
import { panel, storedAnimals } from './support/panel.ts';

const remove = (service: Service, id: number, reason = '', key?: string) =>
  service.call('DELETE', `/v1/pets/${id}${reason && `?reason=${encodeURIComponent(reason)}`}`, {
    ...(key !== undefined && { key }),
  });
const listed = async (service: Service) => (await storedAnimals(service)).map(({ name }) => name);

describe('Removed animals', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('are a tab with their reasons, are found, and come back with one click', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna', 'Otis'], {
      path: '/#/animals?status=removed',
      prepare: async (service) => {
        await remove(service, 1, 'Given away', await keyWith(service, ['pets:write'], 'till 3'));
        await remove(service, 2);
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.equal(await row(page, 'Rex').locator('.note').innerText(), 'Given away');
    assert.equal(await row(page, 'Luna').locator('.note').innerText(), '');
    // What is removed meanwhile waits until it is asked for.
    await remove(service, 3, 'Died');
    await button(page, '1 new animal – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);

    await search(page).fill('re');
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.match(page.url(), /status=removed&name=re$/);
    await search(page).fill('nobody');
    await page.getByRole('heading', { name: /^No removed animal is called .*nobody/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);

    await link(page, 'Rex').click();
    await panel(page, 'Rex')
      .getByText(/^Removed .* by .*till 3/)
      .waitFor();
    await panel(page, 'Rex').getByText('Given away', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    // Nothing is under the second click.
    await button(page, /^Restore .*Rex/).dblclick();
    await message(page, 'Rex is restored.');
    assert.equal(await state(page, 'Rex'), 'Available');
    assert.deepEqual(await listed(service), ['Rex']);
    assert.deepEqual(await names(page), ['Otis', 'Luna', 'Rex'], 'the row stays');
    await undo(page, 'the restoring of .*Rex').click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Removed');
    await eventuallyEqual(() => row(page, 'Rex').locator('.note').innerText(), 'Given away');
    await page.getByRole('checkbox', { name: 'Select \u2068Otis\u2069' }).click();
    await page.getByRole('checkbox', { name: 'Select \u2068Luna\u2069' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
    await message(page, '2 animals were restored.');
    assert.deepEqual(await listed(service), ['Otis', 'Luna']);
  });

  it('have nothing to press for a key that only sees them', async (t) => {
    const opened = await openConsole(t, ['Rex'], { prepare: (service) => remove(service, 1) });
    if (!opened) return;
    const { page, service, front } = opened;
    const other = await page.context().newPage();
    t.after(() => other.close());
    await other.goto(`${front.origin}/#/animals?status=removed`);
    await other.locator('#api-key').fill(await keyWith(service, ['pets:read']));
    await other.keyboard.press('Enter');
    await eventuallyEqual(() => names(other), ['Rex']);
    assert.equal(await other.locator('.row').locator('button, input').count(), 0);
  });
});
