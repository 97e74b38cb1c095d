import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, names, openConsole, row, state } from './support/console.ts';
import { keyWith } from './support/keys.ts';

const remove = (service: Service, id: number, reason = '', key?: string) =>
  service.call('DELETE', `/v1/pets/${id}${reason && `?reason=${encodeURIComponent(reason)}`}`, {
    ...(key !== undefined && { key }),
  });
const listed = async (service: Service) =>
  ((await service.call('GET', '/v1/pets')).json as { name: string }[]).map(({ name }) => name);
/** The reason of a row, and when and by whom it was removed. */
const told = async (page: Page, name: string) =>
  (await row(page, name).locator('.reason-word, .two').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );

describe('Removed animals', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('say when, by whom and why, are found, and come back with one click', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna', 'Otis'], {
      path: '/#/removed',
      prepare: async (service) => {
        const key = await keyWith(service, ['pets:write'], 'till 3');
        await remove(service, 1, 'Given away', key);
        await remove(service, 2, '', key);
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await page.getByRole('heading', { level: 1, name: 'Removed animals' }).waitFor();
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    await row(page, 'Rex').getByText('by till 3').waitFor();
    const [reason, when] = await told(page, 'Rex');
    assert.equal(reason, 'Given away');
    assert.match(when ?? '', /^today at \d\d:\d\d by till 3$/);
    assert.equal((await told(page, 'Luna'))[0], 'no reason given');

    // What is removed meanwhile waits until it is asked for.
    await remove(service, 3, 'Died');
    await button(page, '1 new removed animal – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);

    await page.getByRole('searchbox').fill('re');
    await eventuallyEqual(() => names(page), ['Rex']);
    await page.getByRole('searchbox').fill('2');
    await eventuallyEqual(() => names(page), ['Luna']);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByRole('heading', { name: /^No removed animal has .*nobody/ }).waitFor();
    await page.getByRole('link', { name: 'Show all removed animals' }).click();
    await eventuallyEqual(() => names(page), ['Otis', 'Luna', 'Rex']);

    // Nothing is under the second click.
    await button(page, /^Restore .*Rex/).dblclick();
    await eventuallyEqual(() => state(page, 'Rex'), 'Restored Undo');
    assert.deepEqual(await listed(service), ['Rex']);
    assert.deepEqual(await names(page), ['Otis', 'Luna', 'Rex'], 'the row stays');
    assert.match((await told(page, 'Rex')).join(), /^today at .* by till 3$/, 'and what it says');
    await row(page, 'Rex').getByText('Undo').click();
    await eventuallyEqual(async () => (await told(page, 'Rex'))[0], 'Given away');
    assert.deepEqual(await listed(service), []);
  });

  it('open in the panel over their page', async (t) => {
    const opened = await openConsole(t, ['Rex'], {
      path: '/#/removed',
      prepare: (service) => remove(service, 1, 'Died'),
    });
    if (!opened) return;
    const { page } = opened;
    await row(page, 'Rex').getByRole('link').click();
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await panel.getByText(/Died/).first().waitFor();
    assert.match(page.url(), /#\/removed\?animal=1$/);
    await page.keyboard.press('Escape');
    await eventuallyEqual(() => page.url().endsWith('#/removed'), true);
    await page.getByRole('link', { name: 'Animals' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Animals', exact: true }).waitFor();
  });

  it('have nothing to press for a key that only sees them', async (t) => {
    const opened = await openConsole(t, ['Rex'], { prepare: (service) => remove(service, 1) });
    if (!opened) return;
    const { page, service, front } = opened;
    const other = await page.context().newPage();
    t.after(() => other.close());
    await other.goto(`${front.origin}/#/removed`);
    await other.locator('#api-key').fill(await keyWith(service, ['pets:read']));
    await other.keyboard.press('Enter');
    await eventuallyEqual(() => names(other), ['Rex']);
    assert.equal(await other.locator('.row button').count(), 0);
    assert.equal(await row(other, 'Rex').getByText(/^by /).count(), 0, 'who it was is not known to it');
  });
});
