import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import {
  animalNames,
  closeOrder,
  names,
  openConsole,
  order,
  refresh,
  row,
  state,
  tab,
} from './support/console.ts';

/** Rex (1) was reserved twice, Ruby (2) and Luna (3) once. */
const prepare = async (service: Service) => {
  await order(service, 1);
  await order(service, 2);
  await closeOrder(service, 1, 'cancelled');
  await order(service, 3);
  await order(service, 1);
};

const ids = (page: Page) => page.locator('.order-time .id').allInnerTexts();

describe('Orders of an animal', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('are found by the beginning of its name, by its id, and by their own', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], { path: '/#/orders', prepare });
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => names(page), ['Rex', 'Luna', 'Ruby', 'Rex']);
    const search = page.getByRole('searchbox', { name: /^Find orders/ });
    await search.fill('r');
    await eventually(() => names(page), ['Rex', 'Ruby', 'Rex']);
    assert.deepEqual(await ids(page), ['4', '2', '1'], 'newest first');
    await tab(page, 'Cancelled').click();
    await eventually(() => ids(page), ['1']);
    assert.equal(await search.inputValue(), 'r', 'the filters combine');
    // Orders 4 and 1 are of animal 1; there is no animal 4. Order 4 is not cancelled.
    await search.fill('4');
    await page.getByRole('heading', { name: /^No order of an animal/ }).waitFor();
    await tab(page, 'All').click();
    await eventually(() => ids(page), ['4']);
    await search.fill('2');
    await eventually(() => names(page), ['Ruby']);
    await search.fill('1');
    await eventually(() => names(page), ['Rex', 'Rex']);
    await search.fill('nobody');
    await page.getByRole('heading', { name: /^No order of an animal/ }).waitFor();
    await page.getByRole('link', { name: 'Show all orders' }).click();
    await eventually(() => names(page), ['Rex', 'Luna', 'Ruby', 'Rex']);
    await closeOrder(service, 4, 'cancelled');
    await service.call('DELETE', '/v1/pets/1');
    await search.fill('1');
    await eventually(() => ids(page), ['4', '1']);
  });

  it('are those of the first ten animals that a name finds, and the page says so', async (t) => {
    const opened = await openConsole(t, animalNames(11), {
      path: '/#/orders?name=animal',
      prepare: (service) => order(service, 1),
    });
    if (!opened) return;
    const { page } = opened;
    const hint = page.getByText('Type more of the name to see the orders of further animals.');
    await hint.waitFor();
    await page.getByRole('searchbox').fill('Animal 1');
    await eventually(() => hint.count(), 0);
    await eventually(() => ids(page), ['1']);
  });

  it('are a link away from it, also when it was removed, and it is a link away from them', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], { prepare });
    if (!opened) return;
    const { page, service } = opened;
    await row(page, 'Rex').getByRole('link').click();
    await page.getByRole('link', { name: 'All its orders' }).click();
    await eventually(() => names(page), ['Rex', 'Rex']);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('link', { name: 'Rex', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Show all' }).click();
    await eventually(() => names(page), ['Rex', 'Luna', 'Ruby', 'Rex']);
    await closeOrder(service, 2, 'cancelled');
    await service.call('DELETE', '/v1/pets/2');
    await page.goto(`${page.url().split('#')[0]}#/orders?of=2`);
    await eventually(() => page.locator('.row').count(), 1);
  });

  it('one that is closed elsewhere says so under a filter, however many newer ones there are', async (t) => {
    const opened = await openConsole(t, animalNames(130), {
      path: '/#/orders?status=placed',
      prepare: async (service) => {
        for (let id = 1; id <= 120; id++) await order(service, id);
        for (let id = 2; id <= 120; id++) await closeOrder(service, id, 'cancelled');
      },
    });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Animal 1']);
    await closeOrder(service, 1, 'completed');
    const before = front.requests.length;
    await refresh(opened);
    await eventually(async () => (await state(page, 'Animal 1')).split(' ')[0], 'Completed');
    const asked = front.requests.slice(before).filter((line) => line.includes('/store/orders'));
    assert.deepEqual(
      asked.filter((line) => /cursor=/.test(line)),
      [],
      'without going through all of them',
    );
  });
});
