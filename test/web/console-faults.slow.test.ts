import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { KEY, startService } from '../support/service/service.ts';
import {
  add,
  addAnimals,
  button,
  fillForm,
  message,
  messages,
  names,
  openConsole,
  orderCount,
  reserveButton,
  returnTo,
  state,
} from './support/console.ts';
import { inPanel, openPanel, storedAnimals } from './support/panel.ts';

const CHANGES = /^(POST|PATCH) /;
/** The list; the panel asks for one animal by its id. */
const LIST = /^GET \/v1\/pets\?(?!id=)/;

/** What is wrong, as the header says it. */
const wrong = (page: Page) => page.locator('.header').getByRole('status').innerText();
const saysSince = (page: Page, what: string) =>
  eventually(async () => new RegExp(`^${what} since \\d\\d:\\d\\d$`).test(await wrong(page)), what);
const isResting = (page: Page) => reserveButton(page, 'Rex').getAttribute('aria-disabled');

/** Lets the time of the page pass until a message says this. */
const passUntil = (page: Page, text: string) =>
  eventually(async () => {
    await page.clock.runFor(1000);
    return (await messages(page)).includes(text);
  }, text);

describe('The console when things go wrong', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('says offline since when, stays readable, queues nothing, and goes on when it is back', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna'], { isolated: true });
    if (!opened) return;
    const { page, front } = opened;
    await openPanel(page, 'Luna');
    await inPanel(page, 'Sell').waitFor();
    await page.context().setOffline(true);
    await saysSince(page, 'Offline');
    const said = await wrong(page);
    assert.deepEqual(await names(page), ['Luna', 'Rex']);
    assert.equal(await isResting(page), 'true');
    for (const name of ['Sell', 'Reserve', 'Edit', 'Remove']) {
      assert.equal(await inPanel(page, name).getAttribute('aria-disabled'), 'true', name);
      await inPanel(page, name).click({ force: true });
    }
    await page.keyboard.press('s');
    await button(page, 'Close').click();
    await reserveButton(page, 'Rex').click({ force: true });
    await openPanel(page, 'Rex');
    assert.equal(await wrong(page), said, 'a panel that is closed or opened is no news');
    await page.context().setOffline(false);
    await eventuallyEqual(() => wrong(page), '');
    assert.deepEqual(await messages(page), []);
    assert.deepEqual(
      front.requests.filter((line) => CHANGES.test(line)),
      [],
    );
    await reserveButton(page, 'Rex').click();
    await message(page, 'Rex is reserved.');
  });

  it('says since when the list has no answer, whatever else succeeds, until it has one', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await eventuallyEqual(() => names(page), ['Rex']);
    front.fault(LIST, { status: 503, retryAfter: 1 });
    await returnTo(page);
    await saysSince(page, 'No answer');
    const said = await wrong(page);
    assert.deepEqual(await names(page), ['Rex']);
    await openPanel(page, 'Rex');
    await page.locator('.panel .history').waitFor();
    await button(page, 'Close').click();
    assert.equal(await wrong(page), said);
    await addAnimals(service, ['Luna']);
    front.fault();
    await button(page, '1 new animal – show').waitFor();
    await eventuallyEqual(() => wrong(page), '');
  });

  it('repeats a sale without an answer for 30 seconds, and then only when asked to, as the same request', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST')
        sent.push(`${request.headers()['idempotency-key']} ${request.postData()}`);
    });
    await button(page, /^Sell .*Rex/).waitFor();
    front.fault(CHANGES, { loseAnswer: true });
    const begunAt = Number(await page.evaluate('Date.now()'));
    await button(page, /^Sell .*Rex/).click();
    await passUntil(page, 'No answer from the service. The sale of Rex is being repeated.');
    assert.equal(await state(page, 'Rex'), 'Selling…');
    await passUntil(page, 'No answer from the service. The sale of Rex may or may not be done.');
    const tookMs = Number(await page.evaluate('Date.now()')) - begunAt;
    const repeated = sent.length;
    assert.ok(repeated > 2 && tookMs > 20_000, `${repeated} requests in ${tookMs} ms`);
    await page.clock.runFor(50_000);
    assert.equal(sent.length, repeated);
    front.fault();
    await button(page, /^Try again: the sale of .*Rex/).click();
    await message(page, 'Rex is sold.');
    assert.equal(sent.length, repeated + 1);
    assert.equal(new Set(sent).size, 1, 'with the same key');
    assert.equal(await orderCount(service), 1);
  });

  it('says in red that an animal was not added, and adds it once when it is tried again', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    front.fault(CHANGES, { status: 503, retryAfter: 60 });
    await fillForm(page, 'Luna');
    await add(page);
    await message(page, 'The store is not available right now (503). Adding Luna may or may not be done.');
    await page.locator('.message.wrong').waitFor();
    front.fault();
    await button(page, /^Try again: adding .*Luna/).click();
    await message(page, 'Luna was added.');
    assert.equal(await page.locator('.message.wrong').count(), 0);
    assert.deepEqual(
      (await storedAnimals(service)).map(({ name }) => name),
      ['Luna', 'Rex'],
    );
  });

  it('says why nobody can sign in, and why there is no list, and goes on from there', async (t) => {
    const service = await startService(t);
    await addAnimals(service, ['Rex']);
    const front = await startFront(t, service.port);
    const page = await openPage(t, front.origin);
    if (!page) return;
    front.fault(/^GET \/v1\//, { loseAnswer: true });
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await page.getByText('The service cannot be reached. Check your connection and try again.').waitFor();
    front.fault(LIST, { hold: true });
    await signIn(page);
    await page.locator('.card[aria-busy=true] .skeleton').waitFor();
    front.fault(LIST, { status: 503, retryAfter: 60 });
    await returnTo(page);
    await page.getByRole('heading', { name: 'Animals could not be loaded' }).waitFor();
    await page.getByText('The store is not available right now (503). Nothing is lost.').waitFor();
    front.fault();
    await button(page, 'Try again').click();
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await wrong(page), '');
  });
});
