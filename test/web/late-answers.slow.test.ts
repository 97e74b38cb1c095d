import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { closeBrowser, eventually, signIn } from '../support/browser.ts';
import type { Front } from '../support/front.ts';
import { KEY } from '../support/service.ts';
import {
  addAndNext,
  animalNames,
  asked as askedFor,
  button,
  type Console,
  fillForm,
  nameField,
  names,
  openConsole,
  order,
  reserveButton,
  returnTo,
  state,
  tab,
} from './support/console.ts';

/** The console, signed in with a stored key that can be revoked. */
async function openWithStoredKey(
  t: TestContext,
  animals: readonly (string | object)[],
  path = '/',
): Promise<(Console & { revoke(): Promise<void> }) | undefined> {
  const key = generateKey();
  let id = '';
  const opened = await openConsole(t, animals, {
    path,
    key,
    clock: true,
    isolated: true,
    prepare: async (service) => {
      ({ id } = await service.store.createKey({ name: 'till 3', digest: digestOf(key), scopes: ['*'] }));
      await eventually(async () => (await service.call('GET', '/v1/pets', { key })).status, 200);
    },
  });
  if (!opened) return undefined;
  const { page, service } = opened;
  const revoke = async () => {
    await service.store.revokeKey(id);
    await eventually(async () => (await service.call('GET', '/v1/pets', { key })).status, 401);
    await returnTo(page);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  };
  return { ...opened, revoke };
}

const asked = (front: Front, match: RegExp) =>
  eventually(async () => front.requests.some((one) => match.test(one)), true);

/** Reserves an animal, whose answer is held back. */
async function reserveUnanswered(page: Page, front: Front): Promise<void> {
  front.fault(/^POST/, { hold: true });
  await reserveButton(page, 'Rex').click();
  await asked(front, /^POST/);
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Sign out').last().click();
  await page.getByRole('heading', { level: 1, name: 'Animal Store' }).waitFor();
}

/** Everything that was under way has arrived and is shown. */
async function settle(page: Page, front: Front): Promise<void> {
  await eventually(async () => front.pending(), 0);
  await page.clock.runFor(500);
}

describe('An answer that comes late', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('does not reject the new key because of the old one', async (t) => {
    const { page, front, revoke } = (await openWithStoredKey(t, ['Rex'])) ?? {};
    if (!page || !front || !revoke) return;
    await reserveUnanswered(page, front);
    await revoke();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('API key').fill(KEY);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    front.fault();
    await eventually(async () => (await state(page, 'Rex')).startsWith('The service answered'), true);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByText('Try again').click();
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
  });

  it('does not sign in a person who has signed out meanwhile', async (t) => {
    const { page, front, revoke } = (await openWithStoredKey(t, ['Rex'])) ?? {};
    if (!page || !front || !revoke) return;
    await revoke();
    const reads = front.requests.length;
    front.fault(/keys\/current/, { hold: true });
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await eventually(async () => front.requests.length > reads, true);
    await signOut(page);
    front.fault();
    await settle(page, front);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Animal Store');
  });

  it('shows nothing of an order to the next person', async (t) => {
    const { page, service, front } = (await openWithStoredKey(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await reserveUnanswered(page, front);
    await signOut(page);
    await order(service, 1);
    await signIn(page);
    front.fault();
    await eventually(() => state(page, 'Rex'), 'Reserved');
    await settle(page, front);
    assert.equal(await state(page, 'Rex'), 'Reserved');
  });

  it('leaves what the next person types alone', async (t) => {
    const { page, front } = (await openWithStoredKey(t, ['Rex'])) ?? {};
    if (!page || !front) return;
    await fillForm(page, 'First');
    front.fault(/^POST/, { hold: true });
    await addAndNext(page).click();
    await asked(front, /^POST/);
    await page.keyboard.press('Escape');
    await signOut(page);
    await signIn(page);
    await fillForm(page, 'Second');
    front.fault();
    await settle(page, front);
    assert.equal(await nameField(page).inputValue(), 'Second');
    await addAndNext(page).click();
    await eventually(() => page.locator('.added a').allInnerTexts(), ['Second']);
  });

  it('is not mixed into the list of another filter', async (t) => {
    const sold = { name: 'Rex', categoryId: 7, status: 'sold' };
    const { page, front } = (await openWithStoredKey(t, [sold, ...animalNames(60)])) ?? {};
    if (!page || !front) return;
    await button(page, 'Show more').waitFor();
    front.fault(/status=sold/, { hold: true });
    await tab(page, 'Sold').click();
    await asked(front, /status=sold/);
    await button(page, 'Show more').click();
    await page.clock.runFor(500);
    assert.equal((await names(page)).length, 50, 'the list of the old filter does not grow');
    front.fault();
    await eventually(() => names(page), ['Rex']);
    assert.equal(front.requests.filter((one) => one.includes('status=sold')).length, 1);
  });

  it('does not make the page ask without a pause, however long Retry-After is', async (t) => {
    const { page, front } = (await openWithStoredKey(t, ['Rex'])) ?? {};
    if (!page || !front) return;
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 2 ** 29 });
    await returnTo(page);
    await page.getByText('The store is not available right now.').waitFor();
    const [before, all] = [askedFor(front), front.requests.length];
    await page.clock.runFor(60_000);
    assert.equal(askedFor(front), before);
    assert.ok(front.requests.length <= all + 2, 'the stream waits as well');
  });
});
