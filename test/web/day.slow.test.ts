import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, setHidden, signIn } from '../support/browser.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { type Service, startService } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import { cells, head, namesIn, reserve, rowIn, sell } from './support/orders.ts';
import { inPanel, noteField } from './support/panel.ts';

/** What the header says is wrong. */
const wrong = (page: Page): Promise<string> => page.locator('header').getByRole('status').innerText();

/** Where the day is far from over, whenever the test runs. In these names, + is west. */
function zoneAtNoon(): string {
  const west = new Date().getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

describe('A day with the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('on a phone: find, reserve with a note, sell from the sheet, and see it among the sales', async (t) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, isolated: true };
    const { page } = (await ui.openConsole(t, ['Rex', 'Biscuit', 'Noodle'], phone)) ?? {};
    if (!page) return;
    await ui.search(page).fill('bisc');
    await eventuallyEqual(() => ui.names(page), ['Biscuit']);
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

  it('what another till does shows without a reload; the header tells of nothing but being offline', async (t) => {
    const { page, service } = (await ui.openConsole(t, ['Rex', 'Luna'], { isolated: true })) ?? {};
    if (!page || !service) return;
    await eventuallyEqual(() => ui.names(page), ['Luna', 'Rex']);
    await ui.order(service, 1);
    await eventuallyEqual(() => ui.state(page, 'Rex'), 'Reserved');
    await service.call('PATCH', '/v1/pets/2', { body: { name: 'Bella' } });
    await eventuallyEqual(() => ui.names(page), ['Bella', 'Rex']);
    // A page without a stream would have asked, and would say so.
    assert.equal(await wrong(page), '');
    await page.context().setOffline(true);
    await page.getByText(/^Offline since \d\d:\d\d$/).waitFor();
    await page.context().setOffline(false);
    await eventuallyEqual(() => wrong(page), '');
  });

  it('every tab that is looked at has a stream; a hidden one, and one that has signed out, have none', async (t) => {
    const opened = await ui.openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    const other = await page.context().newPage();
    await other.goto(front.origin);
    await signIn(other);
    await eventuallyEqual(() => openStreams(service), 2);
    await setHidden(other, true);
    await eventuallyEqual(() => openStreams(service), 1);
    await ui.addAnimals(service, ['Luna']);
    await ui.button(page, '1 new animal – show').waitFor();
    await setHidden(other, false);
    await ui.button(other, '1 new animal – show').waitFor();
    await eventuallyEqual(() => openStreams(service), 2);
    await ui.signOut(page);
    await eventuallyEqual(() => openStreams(service), 1);
  });

  for (const [what, scopes] of Object.entries({
    'a key that may not follow changes': ['pets:read', 'store:read'],
    'a proxy that holds the stream back': ['pets:read', 'store:read', 'events:read'],
  }))
    it(`the page asks every few seconds, and the header says so, with ${what}`, async (t) => {
      const service = await startService(t);
      const front = await startFront(t, service.port);
      front.fault(/^GET \/v1\/events/, { hold: true });
      const page = await openPage(t, front.origin, { isolated: true });
      if (!page) return;
      await signIn(page, await keyWith(service, scopes));
      await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
      await ui.addAnimals(service, ['Rex']);
      await eventuallyEqual(() => ui.names(page), ['Rex']);
      await eventuallyEqual(() => wrong(page), 'Updated every few seconds');
      front.fault();
      if (scopes.includes('events:read')) await eventuallyEqual(() => wrong(page), '');
    });

  it('ends at midnight of the device, not before: what was sold today is no sale of today any more', async (t) => {
    const prepare = async (service: Service) => {
      await reserve(service, 1);
      await sell(service, 2);
    };
    const options = { prepare, path: '/#/orders', clock: true, isolated: true, timezoneId: zoneAtNoon() };
    const { page } = (await ui.openConsole(t, ['Rex', 'Luna'], options)) ?? {};
    if (!page) return;
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
