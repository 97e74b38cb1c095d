import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { type Service, startService } from '../support/service/service.ts';
import {
  addAndNext,
  addAnimals,
  animalNames,
  asked,
  button,
  fillForm,
  nameField,
  names,
  OTHER_KEY,
  openConsole,
  refresh,
  reserveButton,
  returnTo,
  signOut,
  state,
  tab,
} from './support/console.ts';

const READS = /^GET \/v1\//;
const CREATES = /^POST \/v1\/pets/;

const stored = async (service: Service) =>
  (JSON.parse((await service.call('GET', '/v1/pets')).text) as unknown[]).length;

describe('The console when things go wrong', { concurrency: 2 }, () => {
  after(closeBrowser);

  const states = {
    503: 'The store is not available right now.',
    429: 'There were too many requests.',
    500: 'The service answered with an error.',
  };
  it('says so on 503, 429 and 500, keeps what is shown, and goes on when asked to', async (t) => {
    const { page, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !front) return;
    for (const [status, text] of Object.entries(states)) {
      front.fault(READS, { status: Number(status), retryAfter: 60 });
      await returnTo(page);
      await page.getByText(text).waitFor();
      await page.getByText(/What you see is from \d\d:\d\d/).waitFor();
      assert.deepEqual(await names(page), ['Rex']);
      front.fault();
      await button(page, 'Try now').click();
      await eventuallyEqual(() => page.getByText(text).count(), 0);
    }
  });

  it('says so when only a part cannot be loaded, the list or more of it', async (t) => {
    const { page, front } = (await openConsole(t, animalNames(60))) ?? {};
    if (!page || !front) return;
    await button(page, 'Show more').waitFor();
    front.fault(/^GET \/v1\/pets/, { status: 503, retryAfter: 60 });
    await button(page, 'Show more').click();
    await page.getByText('The store is not available right now.').waitFor();
    await returnTo(page);
    await page.getByText(/Next try in/).waitFor();
    front.fault();
    await button(page, 'Try now').click();
    await eventuallyEqual(() => page.locator('.strip').count(), 0);
    await button(page, 'Show more').click();
    await eventuallyEqual(async () => (await names(page)).length, 60);
  });

  it('goes on by itself after an outage, as late as Retry-After asks', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventuallyEqual(() => names(page), ['Rex']);
    front.fault(READS, { status: 429, retryAfter: 120 });
    await returnTo(page);
    await page.getByText(/Next try in 1[12]\d s\./).waitFor();
    const before = asked(front);
    await page.clock.runFor(100_000);
    assert.equal(asked(front), before);
    await addAnimals(service, ['Later']);
    front.fault();
    await page.clock.runFor(30_000);
    await button(page, '1 new animal – show').waitFor();
    await eventuallyEqual(() => page.locator('.strip').count(), 0);
  });

  it('is readable offline, offers nothing that would not be done, and goes on when it is back', async (t) => {
    const opened = await openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page } = opened;
    await reserveButton(page, 'Rex').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    assert.deepEqual(await names(page), ['Rex']);
    assert.equal(await reserveButton(page, 'Rex').count(), 0);
    await page.context().setOffline(false);
    await reserveButton(page, 'Rex').click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Reserved Undo');
    await eventuallyEqual(() => page.locator('.strip').count(), 0);
  });

  it('says when the service is slow, and when nothing could be loaded', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, front } = opened;
    await eventuallyEqual(() => names(page), ['Rex']);
    front.fault(READS, { hold: true });
    await returnTo(page);
    await page.clock.runFor(4000);
    await page.getByText('The service is slow to answer.').waitFor();
    front.fault(READS, { status: 503, retryAfter: 60 });
    await tab(page, 'Sold').click();
    await page.getByText('The list appears here as soon as it can be loaded.').waitFor();
    front.fault();
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'No sold animal' }).waitFor();
  });

  it('asks for a new key when the key is revoked in the middle of the work, loses nothing, and goes on', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await fillForm(page, 'Kept');
    front.fault(CREATES, { status: 401 });
    await addAndNext(page).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('no longer accepted').waitFor();
    // Without a stream of changes: the page itself must ask again.
    front.fault(/^GET \/v1\/events/, { status: 503, retryAfter: 600 });
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await dialog.waitFor();
    // The event of an earlier closing may come late; the back gesture of a phone closes it.
    await dialog.evaluate((one) => one.dispatchEvent(new Event('close')));
    assert.equal(await dialog.isVisible(), true);
    await dialog.evaluate((one) => (one as unknown as { close(): void }).close());
    await dialog.waitFor();
    await dialog.getByLabel('API key').fill(OTHER_KEY);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await button(page, /^Try again: add .*Kept/).click();
    await eventuallyEqual(() => stored(service), 2);
    await nameField(page).fill('Half-typed');
    await addAnimals(service, ['Elsewhere']);
    await page.clock.runFor(5000);
    await button(page, '1 new animal – show').waitFor();
    assert.equal(await nameField(page).inputValue(), 'Half-typed');
    front.fault(READS, { status: 401 });
    await returnTo(page);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Animal Store' }).waitFor();
    front.fault();
    await signIn(page);
    assert.equal(await page.getByRole('dialog').count(), 0, 'signing out forgets what was typed, too');
  });

  it('the failures of one person are none of the next one’s', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventuallyEqual(() => names(page), ['Rex']);
    front.fault(READS, { status: 503, retryAfter: 600 });
    for (let failures = 0; failures < 4; failures++) await refresh(opened);
    await page.getByText('The store is not available right now.').waitFor();
    front.fault();
    await signOut(page);
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await signIn(page);
    assert.equal(await page.locator('.strip').count(), 0);
    front.fault();
    await eventuallyEqual(() => names(page), ['Rex']);
    await addAnimals(service, ['Luna']);
    await page.clock.runFor(5000);
    await button(page, '1 new animal – show').waitFor();
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
});
