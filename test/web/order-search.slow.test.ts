import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { animalNames, button, closeOrder, names, openConsole, order } from './support/console.ts';
import { namesIn, plain } from './support/orders.ts';

/** Rex (1) was reserved twice, Ruby (2) and Luna (3) once. */
const reserveFour = async (service: Service) => {
  await order(service, 1);
  await order(service, 2);
  await closeOrder(service, 1, 'cancelled');
  await order(service, 3);
  await order(service, 1);
};

describe('Orders that are searched for', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('are found by a part of the name, by an id, and by their note', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], {
      path: '/#/orders',
      prepare: async (service) => {
        await reserveFour(service);
        await service.call('PATCH', '/v1/store/orders/2', { body: { note: 'for Ms Lée' } });
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna', 'Rex']);
    const search = page.getByRole('searchbox', { name: /^Find orders/ });
    await search.fill('r');
    await eventuallyEqual(() => names(page), ['Rex', 'Ruby', 'Rex']);
    await search.fill('lee');
    await eventuallyEqual(() => names(page), ['Ruby']);
    await page.getByText('for Ms Lée').waitFor();
    // Orders 4 and 1 are of animal 1; there is no animal 4.
    await search.fill('4');
    await eventuallyEqual(() => names(page), ['Rex']);
    await search.fill('nobody');
    await page.getByRole('heading', { name: /^No order for/ }).waitFor();
    await search.fill('');
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna', 'Rex']);
    await page.getByRole('link', { name: 'Cancelled reservations' }).click();
    await eventuallyEqual(() => names(page), ['Rex']);
    await page.getByRole('link', { name: 'Show all' }).click();
    // The orders of an animal that was removed keep its name.
    await closeOrder(service, 4, 'cancelled');
    await service.call('DELETE', '/v1/pets/1');
    await search.fill('#1');
    await eventuallyEqual(() => names(page), ['Rex', 'Rex']);
    await eventuallyEqual(() => page.getByText('removed', { exact: true }).count(), 2);
  });

  it('of many animals come a part at a time, and the page never says too early that there are none', async (t) => {
    const opened = await openConsole(t, animalNames(75), {
      path: '/#/orders?name=animal',
      prepare: (service) => order(service, 5),
    });
    if (!opened) return;
    const { page } = opened;
    // The animals 16 to 75 have no order.
    await page.getByRole('heading', { name: 'Nothing found so far' }).waitFor();
    await button(page, 'Search further').click();
    await eventuallyEqual(() => names(page), ['Animal 5']);
    assert.equal(await button(page, 'Show more').count(), 0);
  });

  it('of one animal are one list, with what can be done in each row', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], {
      path: '/#/orders?of=1',
      prepare: reserveFour,
    });
    if (!opened) return;
    const { page } = opened;
    await eventuallyEqual(() => names(page), ['Rex', 'Rex']);
    await page.getByRole('heading', { name: 'Orders of Rex' }).waitFor();
    const latest = page.locator('.row').first();
    await latest.getByRole('button', { name: /^Sell/ }).click();
    await eventuallyEqual(async () => plain(await latest.locator('.row-state').innerText()), 'Sold Undo');
    await page.mouse.move(0, 0);
    await latest.getByRole('button', { name: /^Take back/ }).focus();
    await page.keyboard.press('Enter');
    await eventuallyEqual(async () => plain(await latest.locator('.row-state').innerText()), 'Returned Undo');
    await page.getByRole('link', { name: 'Rex', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Show all' }).click();
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna']);
  });
});
