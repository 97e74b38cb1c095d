import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import {
  addAnimals,
  button,
  counts,
  names,
  openConsole,
  order,
  positions,
  refresh,
  row,
  state,
} from './support/console.ts';

describe('A list that stands still', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('changes rows in place, and keeps new animals waiting until they are asked for', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna'], { path: '/#/animals?status=available' });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    const before = await positions(page);
    await addAnimals(service, ['Milo', 'Otis']);
    await order(service, 2);
    await refresh(opened);
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved');
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    assert.deepEqual(await counts(page), ['4', '3', '1', '0'], 'the tabs count at once');
    await button(page, '2 new animals – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo', 'Rex']);
    assert.equal(await button(page, /show$/).count(), 0);
  });

  it('no message about the connection moves a row', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna']);
    if (!opened) return;
    const { page, front } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
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
    await eventuallyEqual(() => names(page), ['Rex']);
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
});
