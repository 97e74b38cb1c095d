import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, signIn } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import {
  animalNames,
  button,
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

  it('are found by a part of its name, by its id, by their own, and by their note', async (t) => {
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
    await page.getByRole('heading', { name: /^No order has/ }).waitFor();
    await tab(page, 'All').click();
    await eventually(() => ids(page), ['4']);
    await search.fill('2');
    await eventually(() => names(page), ['Ruby']);
    await search.fill('1');
    await eventually(() => names(page), ['Rex', 'Rex']);
    await search.fill('nobody');
    await page.getByRole('heading', { name: /^No order has/ }).waitFor();
    await page.getByRole('link', { name: 'Show all orders' }).click();
    await eventually(() => names(page), ['Rex', 'Luna', 'Ruby', 'Rex']);
    await service.call('PATCH', '/v1/store/orders/2', { body: { note: 'for Ms Lée' } });
    await search.fill('lee');
    await eventually(() => ids(page), ['2']);
    await page.getByText('for Ms Lée').waitFor();
    await search.fill('');
    await eventually(() => names(page), ['Rex', 'Luna', 'Ruby', 'Rex']);
    await closeOrder(service, 4, 'cancelled');
    await service.call('DELETE', '/v1/pets/1');
    await search.fill('1');
    await eventually(() => ids(page), ['4', '1']);
  });

  it('of many animals are searched a part at a time, and the page never says too early that there are none', async (t) => {
    const opened = await openConsole(t, animalNames(75), {
      path: '/#/orders?name=animal',
      prepare: (service) => order(service, 5),
    });
    if (!opened) return;
    const { page, service } = opened;
    // The animals 16 to 75 have no order.
    await page.getByRole('heading', { name: 'Nothing found so far' }).waitFor();
    await button(page, 'Search further').click();
    await eventually(() => ids(page), ['1']);
    assert.equal(await button(page, 'Show more').count(), 0);
    await order(service, 70);
    await order(service, 4);
    await service.call('PATCH', '/v1/store/orders/2', { body: { note: 'the first animal' } });
    await page.reload();
    await signIn(page);
    await eventually(() => ids(page), ['2']);
    await button(page, 'Show more').click();
    await eventually(() => ids(page), ['3', '2', '1']);
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
