import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import {
  addAnimals,
  animalNames,
  button,
  type Console,
  counts,
  names,
  openConsole,
  order,
  orderCount,
  refresh,
  reserveButton,
  row,
  state,
  tab,
} from './support/console.ts';

/** Where every row is on the screen. */
const positions = (page: Page) =>
  page.locator('.row').evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));

describe('A list that stands still', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const filter of ['All', 'Available'])
    for (const gap of [0, 300])
      it(`a second click after ${gap} ms does nothing under ${filter}`, async (t) => {
        const { page, service } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
        if (!page || !service) return;
        await tab(page, filter).click();
        const box = await reserveButton(page, 'Luna').boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const before = await positions(page);
        await page.mouse.click(x, y);
        if (gap > 0) await eventually(() => state(page, 'Luna'), 'Reserved Undo');
        await page.mouse.click(x, y);
        await eventually(() => state(page, 'Luna'), 'Reserved Undo');
        assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex'], 'the row stays where it is');
        assert.deepEqual(await positions(page), before);
        assert.equal(await orderCount(service), 1);
        assert.equal(await page.getByRole('dialog').count(), 0, 'and no link was followed');
        assert.equal(await row(page, 'Luna').locator('.row-action button').count(), 0);
        await page.mouse.move(0, 0);
        await row(page, 'Luna').getByText('Sell').waitFor();
      });

  it('undoes a reservation in its row, once for a double click', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await reserveButton(page, 'Rex').click();
    await button(page, /^Undo the reservation of .*Rex/).dblclick();
    await eventually(() => state(page, 'Rex'), 'Available Undo');
    assert.match((await service.call('GET', '/v1/store/orders')).text, /"status":"cancelled"/);
    assert.equal(await orderCount(service), 1);
    await page.mouse.move(0, 0);
    await button(page, /^Undo the cancellation of .*Rex/).click();
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
    assert.equal(await orderCount(service), 2);
  });

  it('changes rows in place, and keeps new animals waiting until they are asked for', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna'], { path: '/#/animals?status=available' });
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => names(page), ['Luna', 'Rex']);
    const before = await positions(page);
    await addAnimals(service, ['Milo', 'Otis']);
    await order(service, 2);
    await refresh(opened);
    await eventually(() => state(page, 'Luna'), 'Reserved');
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    assert.deepEqual(await counts(page), ['4', '3', '1', '0'], 'the tabs count at once');
    await button(page, '2 new animals – show').click();
    await eventually(() => names(page), ['Otis', 'Milo', 'Rex']);
    assert.equal(await button(page, /show$/).count(), 0);
  });

  it('no message about the connection moves a row', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna']);
    if (!opened) return;
    const { page, front } = opened;
    await eventually(() => names(page), ['Luna', 'Rex']);
    const before = await positions(page);
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 60 });
    await refresh(opened);
    await page.getByText('The store is not available right now.').waitFor();
    assert.deepEqual(await positions(page), before);
  });

  it('what stands for an empty list stays while it is refreshed', async (t) => {
    const opened = await openConsole(t);
    if (!opened) return;
    const { page, service } = opened;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    // The stream has begun, after which the page loads once more.
    await refresh(opened);
    await page.locator('.empty').evaluate((empty) => empty.setAttribute('data-mark', ''));
    await refresh(opened);
    await refresh(opened);
    assert.equal(await page.locator('.empty[data-mark]').count(), 1);
    await addAnimals(service, ['Rex']);
    await refresh(opened);
    await eventually(() => names(page), ['Rex']);
  });

  for (const width of [1280, 360])
    it(`no message about the connection covers a button of the panel at ${width} pixels`, async (t) => {
      const opened = await openConsole(t, ['Rex'], { viewport: { width, height: 740 } });
      if (!opened) return;
      const { page, front } = opened;
      await row(page, 'Rex').getByRole('link').click();
      await page.locator('.panel').getByRole('button', { name: 'Remove' }).waitFor();
      front.fault(/^GET \/v1\//, { status: 503, retryAfter: 60 });
      await refresh(opened);
      const strip = await page.locator('.strip').boundingBox();
      assert.ok(strip);
      for (const one of await page.locator('.panel-foot button, .panel-foot input').all()) {
        const box = await one.boundingBox();
        assert.ok(box);
        const isApart: boolean =
          box.x >= strip.x + strip.width ||
          strip.x >= box.x + box.width ||
          box.y >= strip.y + strip.height ||
          strip.y >= box.y + box.height;
        assert.ok(isApart, await one.innerText());
      }
    });

  const addedElsewhere = async ({ page, service, ...opened }: Console, count: number) => {
    await addAnimals(
      service,
      Array.from({ length: count }, (_, index) => `New ${index}`),
    );
    await refresh({ page, ...opened });
    await button(page, `${count} new animals – show`).waitFor();
  };

  it('of more than 100 rows none is lost when animals are added elsewhere, and every one is refreshed', async (t) => {
    const all = animalNames(160).toReversed();
    const opened = await openConsole(t, animalNames(160));
    if (!opened) return;
    const { page, service } = opened;
    for (const shown of [100, 150, 160]) {
      await button(page, 'Show more').click();
      await eventually(async () => (await names(page)).length, shown);
    }
    await addedElsewhere(opened, 30);
    assert.deepEqual(await names(page), all);
    await order(service, 3);
    await eventually(async () => {
      await refresh(opened);
      return state(page, 'Animal 3');
    }, 'Reserved');
    await button(page, /show$/).click();
    await eventually(async () => (await names(page)).length, 190);
    assert.deepEqual((await names(page)).slice(30), all);
  });
});
