import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import {
  addAnimals,
  button,
  counts,
  message,
  names,
  openConsole,
  order,
  positions,
  refresh,
  row,
  state,
  tab,
} from './support/console.ts';

describe('A list that stands still', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('changes rows in place, and keeps new animals waiting until they are asked for', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna', 'Max']);
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
    const before = await positions(page);
    await button(page, /^Sell .*Max/).click();
    await message(page, 'Max is sold.');
    await addAnimals(service, ['Milo', 'Otis']);
    await order(service, 2);
    await service.call('DELETE', '/v1/pets/1');
    await button(page, '2 new animals – show').waitFor();
    await refresh(opened);
    assert.deepEqual(await names(page), ['Max', 'Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    assert.deepEqual(await Promise.all(['Max', 'Luna', 'Rex'].map((name) => state(page, name))), [
      'Sold',
      'Reserved',
      'Removed',
    ]);
    assert.deepEqual(await counts(page), ['2', '1', '1', '4'], 'the tabs count at once');
    await page.evaluate('scrollTo(0, 100)');
    await button(page, '2 new animals – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo']);
    assert.equal(await button(page, /– show$/).count(), 0);
    await tab(page, 'All').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo', 'Max', 'Luna']);
  });

  it('no state of the connection moves a row or what is in the panel', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna']);
    if (!opened) return;
    const { page, front } = opened;
    await row(page, 'Luna').locator('a.name').click();
    const foot = () => page.locator('.panel-foot').boundingBox();
    const before = [await positions(page), await foot()];
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 60 });
    await refresh(opened);
    await page.getByText(/^No answer since \d\d:\d\d$/).waitFor();
    assert.deepEqual([await positions(page), await foot()], before);
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
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
    await eventuallyEqual(() => names(page), ['Rex']);
  });
});
