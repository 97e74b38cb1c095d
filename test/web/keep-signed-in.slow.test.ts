import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { startFront } from '../support/service/front.ts';
import { KEY, startService } from '../support/service/service.ts';
import { button, signOut } from './support/console.ts';

const stored = (page: Page) => page.evaluate('Object.values(localStorage)');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const keep = (page: Page) => page.getByRole('checkbox', { name: 'Keep me signed in on this device' });

async function open(t: TestContext) {
  const front = await startFront(t, (await startService(t)).port);
  const page = await openPage(t, front.origin, { isolated: true });
  return page && { page, front };
}

async function openTab(page: Page, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

describe('Staying signed in', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('is off at first, and not offered where the browser can store nothing', async (t) => {
    const { page, front } = (await open(t)) ?? {};
    if (!page || !front) return;
    assert.equal(await keep(page).isChecked(), false);
    await page.getByText(/^Leave it off on a device that others use/).waitFor();
    await signIn(page);
    assert.deepEqual(await stored(page), []);
    await title(await openTab(page, front.origin), 'Animal Store');
    await page.goto(`${front.origin}/#/orders`);
    await page.addInitScript(
      `Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error(); } })`,
    );
    await page.reload();
    await page.getByLabel('API key').waitFor();
    assert.equal(await keep(page).count(), 0);
    await signIn(page);
    await title(page, 'Orders');
  });

  it('lasts, also without an answer, until one of the tabs signs out or uses another key', async (t) => {
    const { page, front } = (await open(t)) ?? {};
    if (!page || !front) return;
    const signInAndReload = async (fault: Parameters<typeof front.fault>[1]) => {
      await keep(page).check();
      await signIn(page);
      assert.deepEqual(await stored(page), [KEY]);
      front.fault(/^GET \/v1\//, fault);
      await page.reload();
    };
    await signInAndReload({ status: 503 });
    await page.getByText('The store is not available right now.').waitFor();
    const [other, third] = [
      await openTab(page, `${front.origin}/#/orders`),
      await openTab(page, front.origin),
    ];
    await button(third, 'Use another key').waitFor();
    front.fault();
    for (const tab of [page, other]) await button(tab, 'Try again').click();
    await title(page, 'Animals');
    await title(other, 'Orders');
    await signOut(page);
    await button(third, 'Try again').click();
    for (const tab of [page, other, third]) await tab.getByLabel('API key').waitFor();
    assert.deepEqual(await stored(page), []);
    await signInAndReload({ loseAnswer: true });
    await page.getByText('The service cannot be reached.').waitFor();
    await button(page, 'Use another key').click();
    await page.getByLabel('API key').waitFor();
    assert.deepEqual(await stored(page), []);
  });
});
