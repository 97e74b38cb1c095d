import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage } from '../support/browser.ts';
import { startFront } from '../support/service/front.ts';
import { KEY, startService } from '../support/service/service.ts';
import { button, signOut } from './support/console.ts';

const stored = (page: Page) => page.evaluate('JSON.stringify(Object.values(localStorage))');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const keep = (page: Page) => page.getByRole('checkbox', { name: 'Keep me signed in on this device' });

async function signInAndKeep(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(KEY);
  await keep(page).check();
  await button(page, 'Sign in').click();
  await title(page, 'Animals');
}

describe('Staying signed in', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('is off at first, and says what it means', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, service.origin, { isolated: true });
    if (!page) return;
    assert.equal(await keep(page).isChecked(), false);
    const help = (await keep(page).getAttribute('aria-describedby')) ?? '';
    assert.match(await page.locator(`#${help}`).innerText(), /until you sign out.*others use/);
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await title(page, 'Animals');
    assert.equal(await stored(page), '[]');
  });

  it('lasts over a reload and in other tabs until one of them signs out', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, service.origin, { isolated: true });
    if (!page) return;
    await signInAndKeep(page);
    await page.reload();
    await title(page, 'Animals');
    const other = await page.context().newPage();
    await other.goto(`${service.origin}/#/orders`);
    await title(other, 'Orders');
    assert.equal([...page.url(), ...other.url()].join('').includes(KEY), false);
    await signOut(page);
    await title(page, 'Animal Store');
    await title(other, 'Animal Store');
    assert.equal(await stored(page), '[]');
    await page.reload();
    await page.getByLabel('API key').waitFor();
  });

  it('a service that cannot answer does not end it', async (t) => {
    const service = await startService(t);
    const front = await startFront(t, service.port);
    const page = await openPage(t, front.origin, { isolated: true });
    if (!page) return;
    await signInAndKeep(page);
    front.fault(/^GET \/v1\//, { status: 503 });
    await page.reload();
    await page.getByText('The store is not available right now.').waitFor();
    front.fault();
    await button(page, 'Try again').click();
    await title(page, 'Animals');
    front.fault(/^GET \/v1\//, { status: 503 });
    await page.reload();
    await button(page, 'Use another key').click();
    await page.getByLabel('API key').waitFor();
    assert.equal(await stored(page), '[]');
  });
});
