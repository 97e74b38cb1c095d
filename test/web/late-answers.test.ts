import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { closeBrowser, eventually, openPage, setHidden, signIn } from '../support/browser.ts';
import { type Front, startFront } from '../support/front.ts';
import { KEY, type Service, startService } from '../support/service.ts';

interface Opened {
  readonly page: Page;
  readonly service: Service;
  readonly front: Front;
  /** Revokes the key that the page is signed in with; the page notices it. */
  revoke(): Promise<void>;
}

/** The console, signed in with a stored key, through a proxy that can hold answers back. */
async function open(t: TestContext, animals: readonly object[], path = '/'): Promise<Opened | undefined> {
  const service = await startService(t);
  for (const body of animals) await service.call('POST', '/v1/pets', { body });
  const key = generateKey();
  const { id } = await service.store.createKey({ name: 'till 3', digest: digestOf(key) });
  await eventually(async () => (await service.call('GET', '/v1/pets', { key })).status, 200);
  const front = await startFront(t, service.port);
  const page = await openPage(t, front.origin + path);
  if (!page) return undefined;
  await signIn(page, key);
  const revoke = async () => {
    await service.store.revokeKey(id);
    await eventually(async () => (await service.call('GET', '/v1/pets', { key })).status, 401);
    await setHidden(page, true);
    await setHidden(page, false);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  };
  return { page, service, front, revoke };
}

const REX = { name: 'Rex', categoryId: 7 };
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const names = (page: Page) => page.locator('tbody .pet-name').allInnerTexts();
const asked = (front: Front, match: RegExp) =>
  eventually(async () => front.requests.some((one) => match.test(one)), true);

/** Reserves an animal, whose answer is held back. */
async function reserveUnanswered(page: Page, front: Front): Promise<void> {
  front.fault(/^POST/, { hold: true });
  await button(page, /^Reserve/).click();
  await asked(front, /^POST/);
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Sign out').last().click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
}

describe('An answer that comes late', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('does not reject the new key because of the old one', async (t) => {
    const { page, front, revoke } = (await open(t, [REX])) ?? {};
    if (!page || !front || !revoke) return;
    await reserveUnanswered(page, front);
    await revoke();
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    front.fault();
    await page.getByText('could not be reserved').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await button(page, /^Reserve/).click();
    await page.getByText('is reserved. Order 1 is open.').waitFor();
  });

  it('does not sign in a person who has signed out meanwhile', async (t) => {
    const { page, front, revoke } = (await open(t, [REX])) ?? {};
    if (!page || !front || !revoke) return;
    await revoke();
    const reads = front.requests.length;
    front.fault(/inventory/, { hold: true });
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await eventually(async () => front.requests.length > reads, true);
    await signOut(page);
    front.fault();
    await page.waitForTimeout(500);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Sign in');
  });

  it('shows nothing of an order to the next person', async (t) => {
    const { page, service, front } = (await open(t, [REX])) ?? {};
    if (!page || !service || !front) return;
    await reserveUnanswered(page, front);
    await signOut(page);
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await signIn(page);
    front.fault();
    await page.getByText('Pending').last().waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(await page.locator('.notice').allInnerTexts(), []);
  });

  it('leaves what the next person types alone', async (t) => {
    const { page, front } = (await open(t, [REX])) ?? {};
    if (!page || !front) return;
    const add = async (name: string) => {
      await button(page, 'Add an animal').click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Category').fill('7');
    };
    await add('First');
    front.fault(/^POST/, { hold: true });
    await button(page, 'Add animal').click();
    await asked(front, /^POST/);
    await button(page, 'Close').click();
    await signOut(page);
    await signIn(page);
    await add('Second');
    front.fault();
    await page.waitForTimeout(500);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Second');
    await button(page, 'Add animal').click();
    await page.getByText('“\u2068Second\u2069” was added').waitFor();
    assert.equal(await page.locator('.notice').count(), 1);
  });

  it('does not bring a question back after signing out', async (t) => {
    const { page, service, revoke } = (await open(t, [REX], '/#/orders')) ?? {};
    if (!page || !service || !revoke) return;
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await button(page, 'Complete order 1').click();
    await page.getByRole('heading', { name: 'Complete order 1?' }).waitFor();
    await revoke();
    await signOut(page);
    await signIn(page);
    await button(page, 'Complete order 1').waitFor();
    assert.equal(await page.locator('dialog[open]').count(), 0);
  });

  it('is not mixed into the list of another filter', async (t) => {
    const animals = Array.from({ length: 25 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 7 }));
    const { page, front } = (await open(t, [{ ...REX, status: 'sold' }, ...animals])) ?? {};
    if (!page || !front) return;
    await button(page, 'Show more').waitFor();
    front.fault(/status=sold/, { hold: true });
    await page.getByRole('link', { name: 'Sold', exact: true }).last().click();
    await asked(front, /status=sold/);
    await button(page, 'Show more').click();
    await page.waitForTimeout(500);
    assert.equal((await names(page)).length, 20, 'the list of the old filter does not grow');
    front.fault();
    await eventually(() => names(page), ['Rex']);
    assert.equal(front.requests.filter((one) => one.includes('status=sold')).length, 1);
  });

  it('does not make the page ask without a pause, however long Retry-After is', async (t) => {
    const { page, front } = (await open(t, [REX])) ?? {};
    if (!page || !front) return;
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 2 ** 29 });
    await setHidden(page, true);
    await setHidden(page, false);
    await page.getByText('The store is not available right now.').waitFor();
    await page.waitForTimeout(1000);
    const before = front.requests.length;
    await page.waitForTimeout(2000);
    assert.equal(front.requests.length, before);
  });
});
