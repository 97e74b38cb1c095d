import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { KEY } from '../support/service/service.ts';
import * as shop from './support/console.ts';
import { inPanel, openPanel, storedAnimals } from './support/panel.ts';

const { button, inConsole, message, names, reserveButton } = shop;
const CHANGES = /^(POST|PATCH) /;
/** Not the one animal of a panel. */
const LIST = /^GET \/v1\/pets\?(?!id=)/;
const DOWN = { status: 503, retryAfter: 60 };

/** What is wrong, as the header says it. */
const wrong = (page: Page) => page.getByRole('banner').getByRole('status').innerText();
const wrongSince = async (page: Page, what: string) => {
  await eventually(async () => new RegExp(`^${what} since \\d\\d:\\d\\d$`).test(await wrong(page)), what);
  return wrong(page);
};

describe('The console when things go wrong', { concurrency: 2 }, () => {
  after(closeBrowser);

  const CLOCK = { isolated: true, clock: true };
  inConsole(
    'offline is readable, and rests',
    { animals: ['Rex', 'Luna'], ...CLOCK },
    async ({ page, front }) => {
      await reserveButton(page, 'Rex').waitFor();
      await page.context().setOffline(true);
      const said = await wrongSince(page, 'Offline');
      const rests = async (resting: Locator) => {
        assert.equal(await resting.getAttribute('aria-disabled'), 'true', `${resting}`);
        await resting.click({ force: true });
        await page.keyboard.press('s');
      };
      await rests(reserveButton(page, 'Rex'));
      await openPanel(page, 'Luna');
      for (const name of ['Sell', 'Reserve', 'Edit', 'Remove']) await rests(inPanel(page, name));
      await page.clock.runFor(61_000);
      await button(page, 'Close').click();
      assert.deepEqual(await shop.messages(page), []);
      await openPanel(page, 'Rex');
      assert.equal(await wrong(page), said, 'a panel that is closed or opened is no news');
      await page.context().setOffline(false);
      await eventuallyEqual(() => wrong(page), '');
      await inPanel(page, 'Reserve').click();
      await message(page, 'Rex is reserved.');
      assert.equal(front.requests.filter((line) => CHANGES.test(line)).length, 1, 'nothing was queued');
    },
  );

  inConsole('no answer is told, and since when', { animals: ['Rex'] }, async ({ page, service, front }) => {
    front.fault(/^GET \/v1\//, { loseAnswer: true });
    await page.reload();
    await page.getByLabel('API key').fill(KEY);
    await button(page, 'Sign in').click();
    await page.getByText('The service cannot be reached. Check your connection and try again.').waitFor();
    front.fault(LIST, DOWN);
    await signIn(page);
    await page.getByRole('heading', { name: 'Animals could not be loaded' }).waitFor();
    front.fault();
    await button(page, 'Try again').click();
    await eventuallyEqual(() => names(page), ['Rex']);
    front.fault(LIST, DOWN);
    await shop.returnTo(page);
    const said = await wrongSince(page, 'No answer');
    await openPanel(page, 'Rex');
    await page.locator('.panel .history').waitFor();
    await button(page, 'Close').click();
    assert.deepEqual([await wrong(page), await names(page)], [said, ['Rex']], 'the panel had an answer');
    front.fault();
    await shop.addAnimals(service, ['Luna']);
    await button(page, '1 new animal – show').waitFor();
    await eventuallyEqual(() => wrong(page), '');
  });

  inConsole(
    'a sale is repeated for 30 seconds, then on a click',
    { animals: ['Rex'], ...CLOCK },
    async (opened) => {
      const { page, service, front } = opened;
      await page.evaluate(`{ globalThis.sent = []; const send = fetch; globalThis.fetch = (url, init) => {
      if (init.method === 'POST') sent.push([Date.now(), init.headers['idempotency-key'] + init.body]);
      return send(url, init); } }`);
      const sent = async () => (await page.evaluate('sent')) as [at: number, request: string][];
      front.fault(CHANGES, { loseAnswer: true });
      await button(page, /^Sell .*Rex/).click();
      await eventually(async () => {
        await page.clock.runFor(1000);
        return (await shop.messages(page)).join().endsWith('The sale of Rex may or may not be done.');
      }, 'it is given up');
      const repeated = await sent();
      const ms = (repeated.at(-1)?.[0] ?? 0) - (repeated[0]?.[0] ?? 0);
      assert.ok(ms > 0 && ms <= 30_000, `${ms} ms`);
      await page.clock.runFor(31_000);
      assert.deepEqual(await sent(), repeated);
      front.fault();
      await button(page, /^Try again: the sale of .*Rex/).click();
      await message(page, 'Rex is sold.');
      const requests = (await sent()).map(([, request]) => request);
      assert.deepEqual(requests, Array(repeated.length + 1).fill(requests[0]), 'with the same key');
      assert.equal(await shop.orderCount(service), 1);
    },
  );

  inConsole('what was not added is told in red, and tried again', { animals: ['Rex'] }, async (opened) => {
    const { page, service, front } = opened;
    front.fault(CHANGES, DOWN);
    await shop.fillForm(page, 'Luna');
    await shop.add(page);
    await message(page, 'The store is not available right now (503). Adding Luna may or may not be done.');
    assert.equal(await page.locator('.message.wrong').count(), 1);
    front.fault();
    await button(page, /^Try again: adding .*Luna/).click();
    await message(page, 'Luna was added.');
    assert.equal(await page.locator('.message.wrong').count(), 0);
    assert.equal((await storedAnimals(service)).length, 2);
  });
});
