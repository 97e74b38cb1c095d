import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, setHidden, signIn } from '../support/browser.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { KEY, type Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import { cells, head, namesIn, reserve, rowIn, sell } from './support/orders.ts';
import { inPanel, noteField, openPanel } from './support/panel.ts';

const { button, inConsole, names, reserveButton } = ui;
/** Not the one animal of a panel. */
const LIST = /^GET \/v1\/pets\?(?!id=)/;
const DOWN = { status: 503, retryAfter: 60 };

/** What is wrong, as the header says it. */
const wrong = (page: Page) => page.getByRole('banner').getByRole('status').innerText();
const wrongSince = async (page: Page, what: string) => {
  await eventually(async () => new RegExp(`^${what} since \\d\\d:\\d\\d$`).test(await wrong(page)), what);
  return wrong(page);
};

/** Where the day is far from over, whenever the test runs. In these names, + is west. */
function zoneAtNoon(): string {
  const west = new Date().getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

describe('A day with the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, isolated: true };
  const shop = { animals: ['Rex', 'Biscuit', 'Noodle'], ...phone };
  inConsole('on a phone: find, reserve with a note, sell, and see the sale', shop, async ({ page }) => {
    await ui.search(page).fill('bisc');
    await eventuallyEqual(() => names(page), ['Biscuit']);
    await ui.link(page, 'Biscuit').tap();
    for (const name of ['Reserve', 'Add a note']) await inPanel(page, name).tap();
    await noteField(page).fill('for Ms Lee, Friday');
    await inPanel(page, 'Save').tap();
    await inPanel(page, 'for Ms Lee, Friday').waitFor();
    await inPanel(page, 'Sell').tap();
    await inPanel(page, 'Take back').waitFor();
    await inPanel(page, 'Close').tap();
    await eventuallyEqual(() => ui.state(page, 'Biscuit'), 'Sold');
    await ui.place(page, 'Orders').tap();
    await rowIn(page, 'Sold', 'Biscuit').getByText('for Ms Lee, Friday').waitFor();
  });

  const two = { animals: ['Rex', 'Luna'], isolated: true };
  inConsole('what another till does shows in every tab that is looked at', two, async (opened) => {
    const { page, service, front } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    const other = await page.context().newPage();
    await other.goto(front.origin);
    await signIn(other);
    await eventuallyEqual(() => openStreams(service), 2);
    await ui.order(service, 1);
    await eventuallyEqual(() => ui.state(page, 'Rex'), 'Reserved');
    await service.call('PATCH', '/v1/pets/2', { body: { name: 'Bella' } });
    await eventuallyEqual(() => names(page), ['Bella', 'Rex']);
    assert.equal(await wrong(page), '', 'a page without a stream would have asked, and would say so');
    await setHidden(other, true);
    await eventuallyEqual(() => openStreams(service), 1);
    await ui.addAnimals(service, ['Milo']);
    await button(page, '1 new animal – show').waitFor();
    await setHidden(other, false);
    await button(other, '1 new animal – show').waitFor();
    await eventuallyEqual(() => openStreams(service), 2);
    await ui.signOut(page);
    await eventuallyEqual(() => openStreams(service), 1);
  });

  for (const [what, scopes] of Object.entries({
    'a key that may not follow changes': ['pets:read', 'store:read'],
    'a proxy that holds the stream back': ['pets:read', 'store:read', 'events:read'],
  })) {
    const options = { isolated: true, key: (service: Service) => keyWith(service, scopes) };
    inConsole(`asks every few seconds, and says so, with ${what}`, options, async (opened) => {
      const { page, service, front, key } = opened;
      front.fault(/^GET \/v1\/events/, { hold: true });
      await page.reload();
      await signIn(page, key);
      await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
      await ui.addAnimals(service, ['Rex']);
      await eventuallyEqual(() => names(page), ['Rex']);
      await eventuallyEqual(() => wrong(page), 'Updated every few seconds');
      front.fault();
      if (scopes.includes('events:read')) await eventuallyEqual(() => wrong(page), '');
    });
  }

  inConsole('offline is readable, and rests', { ...two, clock: true }, async ({ page, front }) => {
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
    assert.deepEqual(await ui.messages(page), []);
    await openPanel(page, 'Rex');
    assert.equal(await wrong(page), said, 'a panel that is closed or opened is no news');
    await page.context().setOffline(false);
    await eventuallyEqual(() => wrong(page), '');
    await ui.clickFor(inPanel(page, 'Reserve'), 'Rex is reserved.');
    const changes = front.requests.filter((line) => /^(POST|PATCH) /.test(line));
    assert.equal(changes.length, 1, 'nothing was queued');
  });

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
    await ui.returnTo(page);
    const said = await wrongSince(page, 'No answer');
    await openPanel(page, 'Rex');
    await page.locator('.panel .history').waitFor();
    await button(page, 'Close').click();
    assert.deepEqual([await wrong(page), await names(page)], [said, ['Rex']], 'the panel had an answer');
    front.fault();
    await ui.addAnimals(service, ['Luna']);
    await button(page, '1 new animal – show').waitFor();
    await eventuallyEqual(() => wrong(page), '');
  });

  const prepare = async (service: Service) => {
    await reserve(service, 1);
    await sell(service, 2);
  };
  const orders = { ...two, prepare, path: '/#/orders', clock: true, timezoneId: zoneAtNoon() };
  inConsole('ends at midnight of the device, not before: sold today is over', orders, async ({ page }) => {
    const shown = async () => [
      (await cells(rowIn(page, 'Reserved', 'Rex')))[0]?.split(' ')[0],
      await head(page, 'Sold'),
      await namesIn(page, 'Sold'),
    ];
    await eventuallyEqual(shown, ['today', 'Sold 1', ['Luna']]);
    const toMidnight = await page.evaluate<number>('new Date().setHours(24, 0, 0, 0) - Date.now()');
    await page.clock.fastForward(toMidnight - 600_000);
    assert.deepEqual(await shown(), ['today', 'Sold 1', ['Luna']]);
    await page.clock.fastForward(600_000);
    await eventuallyEqual(shown, ['yesterday', 'Sold 0', []]);
  });
});
