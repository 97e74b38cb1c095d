import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage, setHidden, signIn } from '../support/browser.ts';
import { type Front, startFront } from '../support/front.ts';
import { KEY, type Service, startService } from '../support/service.ts';

const READS = /^GET \/v1\//;
const CREATES = /^POST \/v1\/pets/;

interface Opened {
  readonly page: Page;
  readonly service: Service;
  readonly front: Front;
}

/** The console, signed in, through a proxy that can misbehave. */
async function open(
  t: TestContext,
  { animals = ['Rex'], isolated = false }: { animals?: readonly string[]; isolated?: boolean } = {},
): Promise<Opened | undefined> {
  const service = await startService(t, { config: { apiKeys: [KEY, 'another-key-of-the-suite'] } });
  for (const name of animals) await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
  const front = await startFront(t, service.port);
  const page = await openPage(t, front.origin, { isolated });
  if (!page) return undefined;
  await signIn(page);
  await eventually(() => names(page), animals.toReversed().slice(0, 20));
  return { page, service, front };
}

const names = (page: Page) => page.locator('tbody .pet-name').allInnerTexts();
const stored = async (service: Service) =>
  JSON.parse((await service.call('GET', '/v1/pets')).text).length as number;

async function fill(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add an animal' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Category').fill('7');
}
/** As when the person comes back to the tab: the page loads at once instead of in a few seconds. */
async function returnTo(page: Page): Promise<void> {
  await setHidden(page, true);
  await setHidden(page, false);
}

const submit = (page: Page) => page.getByRole('button', { name: 'Add animal' });

describe('The console when things go wrong', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('adds one animal for a double click', async (t) => {
    const { page, service } = (await open(t)) ?? {};
    if (!page || !service) return;
    await fill(page, 'Once');
    await submit(page).dblclick();
    await eventually(() => names(page), ['Once', 'Rex']);
    assert.equal(await stored(service), 2);
  });

  it('adds one animal when the answer is lost and the person tries again', async (t) => {
    const { page, service, front } = (await open(t)) ?? {};
    if (!page || !service || !front) return;
    await fill(page, 'Once');
    front.fault(CREATES, { loseAnswer: true });
    await submit(page).click();
    await page.getByText('Your entries are kept.').waitFor();
    assert.equal(await stored(service), 2, 'the service had done its work');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Once');
    front.fault();
    await submit(page).click();
    await page.getByText('was added with the id 2.').waitFor();
    assert.equal(await stored(service), 2);
  });

  it('goes on after 503 with what was typed, and never adds twice', async (t) => {
    const { page, service, front } = (await open(t)) ?? {};
    if (!page || !service || !front) return;
    await fill(page, 'Patient');
    front.fault(CREATES, { status: 503, retryAfter: 0 });
    await submit(page).click();
    await page.getByText('The store is not available right now. Your entries are kept.').waitFor();
    front.fault();
    await submit(page).click();
    await eventually(() => names(page), ['Patient', 'Rex']);
    assert.equal(await stored(service), 2);
  });

  const states = {
    503: 'The store is not available right now.',
    429: 'There were too many requests.',
    500: 'The service answered with an error.',
  };
  it('says so on 503, 429 and 500, keeps what is shown, and goes on when asked to', async (t) => {
    const { page, service, front } = (await open(t)) ?? {};
    if (!page || !service || !front) return;
    const shown = ['Rex'];
    for (const [status, text] of Object.entries(states)) {
      front.fault(READS, { status: Number(status), retryAfter: 60 });
      await returnTo(page);
      await page.getByText(text).waitFor();
      await page.getByText(/Showing data from/).waitFor();
      assert.deepEqual(await names(page), shown);
      await service.call('POST', '/v1/pets', { body: { name: `After ${status}`, categoryId: 7 } });
      shown.unshift(`After ${status}`);
      front.fault();
      await page.getByRole('button', { name: 'Try now' }).click();
      await eventually(() => names(page), shown);
      await eventually(() => page.getByText(text).count(), 0);
    }
  });

  it('says so when only a part cannot be loaded, the list or more of it', async (t) => {
    const all = Array.from({ length: 25 }, (_, index) => `Animal ${index}`);
    const { page, front } = (await open(t, { animals: all })) ?? {};
    if (!page || !front) return;
    front.fault(/^GET \/v1\/pets/, { status: 503, retryAfter: 60 });
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('The store is not available right now.').waitFor();
    await returnTo(page);
    await eventually(async () => front.requests.filter((one) => one.includes('inventory')).length >= 2, true);
    await page.getByText(/Next try in/).waitFor();
    front.fault();
    await page.getByRole('button', { name: 'Try now' }).click();
    await eventually(() => page.locator('.banner').count(), 0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(async () => (await names(page)).length, 25);
  });

  it('goes on by itself after an outage', async (t) => {
    const { page, service, front } = (await open(t)) ?? {};
    if (!page || !service || !front) return;
    front.fault(READS, { status: 503, retryAfter: 1 });
    await returnTo(page);
    await page.getByText(/Next try in \d s\./).waitFor();
    await service.call('POST', '/v1/pets', { body: { name: 'Later', categoryId: 7 } });
    front.fault();
    await eventually(() => names(page), ['Later', 'Rex']);
    await eventually(() => page.locator('.banner').count(), 0);
  });

  it('waits as long as Retry-After asks', async (t) => {
    const { page, front } = (await open(t)) ?? {};
    if (!page || !front) return;
    front.fault(READS, { status: 429, retryAfter: 120 });
    await returnTo(page);
    await page.getByText(/Next try in 1[12]\d s\./).waitFor();
    const asked = front.requests.length;
    await page.waitForTimeout(5000);
    assert.equal(front.requests.length, asked);
  });

  it('is usable offline and goes on when it is back', async (t) => {
    const { page, service } = (await open(t, { isolated: true })) ?? {};
    if (!page || !service) return;
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    assert.deepEqual(await names(page), ['Rex']);
    await fill(page, 'Offline');
    await submit(page).click();
    await page.getByText('You are offline. Your entries are kept.').waitFor();
    await page.context().setOffline(false);
    await submit(page).click();
    await eventually(() => names(page), ['Offline', 'Rex']);
    assert.equal(await page.locator('.banner').count(), 0);
  });

  it('shows where the list will be while it loads', async (t) => {
    const service = await startService(t);
    const front = await startFront(t, service.port);
    const page = await openPage(t, front.origin);
    if (!page) return;
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await signIn(page);
    await page.locator('.list[aria-busy=true] .skeleton-row').first().waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'attached' });
    front.fault();
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
  });

  it('says when the service is slow, and when nothing could be loaded', async (t) => {
    const { page, front } = (await open(t)) ?? {};
    if (!page || !front) return;
    front.fault(READS, { hold: true });
    await returnTo(page);
    await page.getByText('The service is slow to answer.').waitFor();
    front.fault(READS, { status: 503, retryAfter: 60 });
    await page.getByRole('link', { name: 'Sold' }).first().click();
    await page.getByText('The list appears here as soon as it can be loaded.').waitFor();
    front.fault();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'No sold animal' }).waitFor();
  });

  it('asks for a new key when the key is revoked in the middle of the work, and loses nothing', async (t) => {
    const { page, service, front } = (await open(t)) ?? {};
    if (!page || !service || !front) return;
    await fill(page, 'Kept');
    front.fault(CREATES, { status: 401 });
    await submit(page).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByText('no longer accepted').waitFor();
    front.fault();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await dialog.waitFor();
    await dialog.getByLabel('API key').fill('another-key-of-the-suite');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Kept');
    await submit(page).click();
    await eventually(() => names(page), ['Kept', 'Rex']);
    assert.equal(await stored(service), 2);
    front.fault(READS, { status: 401 });
    await returnTo(page);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    front.fault();
    await signIn(page);
    assert.equal(await page.getByRole('dialog').count(), 0, 'signing out forgets what was typed, too');
  });

  it('tells the slower of two buyers who was faster, with the current state', async (t) => {
    const { page: first, service, front } = (await open(t)) ?? {};
    if (!first || !service || !front) return;
    const second = await openPage(t, front.origin);
    if (!second) return;
    await signIn(second);
    const reserve = (page: Page) => page.getByRole('button', { name: /^Reserve/ });
    await reserve(second).waitFor();
    // Both have clicked before the first order is placed.
    front.fault(/^POST/, { hold: true });
    await Promise.all([reserve(first).click(), reserve(second).click()]);
    await eventually(async () => front.requests.filter((one) => one.startsWith('POST')).length, 2);
    front.fault();
    const count = async (text: string) =>
      (await first.getByText(text).count()) + (await second.getByText(text).count());
    const won = 'is reserved. Order 1 is open.';
    const lost = 'is taken. It is pending now.';
    await eventually(async () => [await count(won), await count(lost)], [1, 1]);
    for (const page of [first, second]) {
      await eventually(() => page.locator('tbody .status').allInnerTexts(), ['Pending']);
    }
    assert.equal(JSON.parse((await service.call('GET', '/v1/store/orders')).text).length, 1);
  });

  it('shows the current state of an order that was closed elsewhere', async (t) => {
    const { page, service } = (await open(t)) ?? {};
    if (!page || !service) return;
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('button', { name: 'Complete order 1' }).click();
    await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'cancelled' } });
    await page.getByRole('dialog').getByRole('button', { name: 'Complete order' }).click();
    await page.getByText('Order 1 was closed elsewhere: it is cancelled.').waitFor();
    await eventually(() => page.locator('tbody .status').allInnerTexts(), ['Cancelled']);
  });
});
