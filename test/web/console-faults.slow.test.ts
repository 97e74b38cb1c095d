import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, eventually, openPage, signIn } from '../support/browser.ts';
import { startFront } from '../support/front.ts';
import { type Service, startService } from '../support/service.ts';
import {
  addAndNext,
  addAnimals,
  animalNames,
  asked,
  button,
  closeOrder,
  fillForm,
  nameField,
  names,
  OTHER_KEY,
  openConsole,
  order,
  orderCount,
  place,
  refresh,
  reserveButton,
  returnTo,
  row,
  state,
  tab,
} from './support/console.ts';

const READS = /^GET \/v1\//;
const CREATES = /^POST \/v1\/pets/;
const ORDERS = /^POST \/v1\/store\/orders/;

const stored = async (service: Service) =>
  (JSON.parse((await service.call('GET', '/v1/pets')).text) as unknown[]).length;

describe('The console when things go wrong', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('adds one animal for a double click', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Once');
    await addAndNext(page).dblclick();
    await eventually(() => names(page), ['Once', 'Rex']);
    assert.equal(await stored(service), 2);
  });

  it('adds one animal when the answer is lost and the person tries again', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await fillForm(page, 'Once');
    front.fault(CREATES, { loseAnswer: true });
    await addAndNext(page).click();
    await page.getByText('Your entries are kept.').waitFor();
    assert.equal(await stored(service), 2, 'the service had done its work');
    assert.equal(await nameField(page).inputValue(), 'Once');
    front.fault();
    await addAndNext(page).click();
    await eventually(() => page.locator('.added a').allInnerTexts(), ['Once']);
    assert.equal(await stored(service), 2);
  });

  it('goes on after 503 with what was typed, and never adds twice', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await fillForm(page, 'Patient');
    front.fault(CREATES, { status: 503, retryAfter: 0 });
    await addAndNext(page).click();
    await page.getByText('The store is not available right now. Your entries are kept.').waitFor();
    front.fault();
    await addAndNext(page).click();
    await eventually(() => names(page), ['Patient', 'Rex']);
    assert.equal(await stored(service), 2);
  });

  it('keeps what is typed while an animal is being added, also in a form that was closed meanwhile', async (t) => {
    const { page, service, front } = (await openConsole(t)) ?? {};
    if (!page || !service || !front) return;
    for (const reopen of [false, true]) {
      await fillForm(page, `Sent ${reopen}`, '3');
      front.fault(CREATES, { hold: true });
      await addAndNext(page).click();
      await button(page, 'Adding…').waitFor();
      if (reopen) {
        await page.keyboard.press('Escape');
        await button(page, 'Add an animal').first().click();
      }
      await nameField(page).fill('Next one');
      front.fault();
      await eventually(() => page.locator('.added a').first().innerText(), `Sent ${reopen}`);
      assert.equal(await nameField(page).inputValue(), 'Next one');
    }
    assert.equal(await stored(service), 2);
  });

  it('shows the text of an error of the service as it is', async (t) => {
    const { page, front } = (await openConsole(t)) ?? {};
    if (!page || !front) return;
    await fillForm(page, 'Rex');
    front.fault(CREATES, { status: 400 });
    await addAndNext(page).click();
    await page.getByText('Refused by the proxy.').waitFor();
  });

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
      await page.getByText(/You see the state of \d\d:\d\d/).waitFor();
      assert.deepEqual(await names(page), ['Rex']);
      front.fault();
      await button(page, 'Try now').click();
      await eventually(() => page.getByText(text).count(), 0);
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
    await eventually(() => page.locator('.strip').count(), 0);
    await button(page, 'Show more').click();
    await eventually(async () => (await names(page)).length, 60);
  });

  it('goes on by itself after an outage, as late as Retry-After asks', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Rex']);
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
    await eventually(() => page.locator('.strip').count(), 0);
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
    await fillForm(page, 'Offline');
    await addAndNext(page).click();
    await page.getByText('You are offline. Your entries are kept.').waitFor();
    await page.context().setOffline(false);
    await addAndNext(page).click();
    await eventually(() => names(page), ['Offline', 'Rex']);
    await eventually(() => page.locator('.strip').count(), 0);
  });

  it('says when the service is slow, and when nothing could be loaded', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, front } = opened;
    await eventually(() => names(page), ['Rex']);
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
    assert.equal(await nameField(page).inputValue(), 'Kept');
    await addAnimals(service, ['Elsewhere']);
    await page.clock.runFor(5000);
    await button(page, '1 new animal – show').waitFor();
    await addAndNext(page).click();
    await eventually(() => stored(service), 3);
    front.fault(READS, { status: 401 });
    await returnTo(page);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Animal Store' }).waitFor();
    front.fault();
    await signIn(page);
    assert.equal(await page.getByRole('dialog').count(), 0, 'signing out forgets what was typed, too');
  });

  it('the trouble of one person is none of the next one’s', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Rex']);
    front.fault(READS, { status: 503, retryAfter: 600 });
    for (let failures = 0; failures < 4; failures++) await refresh(opened);
    await page.getByText('The store is not available right now.').waitFor();
    front.fault();
    await button(page, 'Sign out').click();
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await signIn(page);
    assert.equal(await page.locator('.strip').count(), 0);
    front.fault();
    await eventually(() => names(page), ['Rex']);
    await addAnimals(service, ['Luna']);
    await page.clock.runFor(5000);
    await button(page, '1 new animal – show').waitFor();
  });

  it('tells the slower of two buyers that the other was faster, with the current state', async (t) => {
    const { page: first, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!first || !service || !front) return;
    const second = await openPage(t, front.origin);
    if (!second) return;
    await signIn(second);
    await reserveButton(second, 'Rex').waitFor();
    // Both have clicked before the first order is placed.
    front.fault(/^POST/, { hold: true });
    await Promise.all([reserveButton(first, 'Rex').click(), reserveButton(second, 'Rex').click()]);
    await eventually(async () => front.requests.filter((one) => one.startsWith('POST')).length, 2);
    front.fault();
    await eventually(
      async () => [await state(first, 'Rex'), await state(second, 'Rex')].toSorted(),
      ['Not reserved: it is reserved already', 'Reserved Undo'],
    );
    assert.equal(await orderCount(service), 1);
  });

  it('repeats a reservation whose answer was lost, and tells the present state of its order', async (t) => {
    for (const isCancelled of [false, true]) {
      const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
      if (!page || !service || !front) return;
      front.fault(ORDERS, { loseAnswer: true });
      await reserveButton(page, 'Rex').click();
      await row(page, 'Rex').getByText('Try again').waitFor();
      front.fault();
      if (isCancelled) await closeOrder(service, 1, 'cancelled');
      await row(page, 'Rex').getByText('Try again').click();
      const expected = isCancelled
        ? 'Not reserved: it was reserved and cancelled meanwhile'
        : 'Reserved Undo';
      await eventually(() => state(page, 'Rex'), expected);
      assert.equal(await orderCount(service), 1);
      if (!isCancelled) continue;
      await page.mouse.move(0, 0);
      await reserveButton(page, 'Rex').click();
      await eventually(() => state(page, 'Rex'), 'Reserved Undo');
      assert.equal(await orderCount(service), 2);
    }
  });

  it('shows the current state of an order that was closed elsewhere', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await order(service, 1);
    await place(page, 'Orders').click();
    // The click comes first: when the console has heard of the change, there is nothing left to click on.
    front.fault(/^PATCH/, { hold: true });
    await button(page, 'Complete order 1').click();
    await eventually(async () => front.requests.filter((one) => one.startsWith('PATCH')).length, 1);
    await closeOrder(service, 1, 'cancelled');
    front.fault();
    await eventually(async () => (await state(page, 'Rex')).startsWith('Already cancelled'), true);
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
