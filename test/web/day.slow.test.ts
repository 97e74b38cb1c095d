import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { link, message, names, openConsole, place, search, state } from './support/console.ts';
import { cells, head, namesIn, reserve, rowIn, sell } from './support/orders.ts';
import { inPanel, noteField, panelState } from './support/panel.ts';

/** Where the day is far from over, whenever the test runs. In these names, + is west. */
function zoneAtNoon(): string {
  const west = new Date().getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

describe('A day', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('on a phone: find, reserve with a note, and sell from the sheet, and see it among the sales', async (t) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, isolated: true };
    const { page } = (await openConsole(t, ['Rex', 'Biscuit', 'Noodle'], phone)) ?? {};
    if (!page) return;
    await search(page).fill('bisc');
    await eventuallyEqual(() => names(page), ['Biscuit']);
    await link(page, 'Biscuit').tap();
    await inPanel(page, 'Reserve').tap();
    await inPanel(page, 'Add a note').tap();
    await noteField(page).fill('for Ms Lee, Friday');
    await inPanel(page, 'Save').tap();
    await message(page, 'The note of Biscuit is “for Ms Lee, Friday”.');
    await inPanel(page, 'Sell').tap();
    await eventuallyEqual(() => panelState(page), 'Sold');
    await inPanel(page, 'Close').tap();
    await eventuallyEqual(() => state(page, 'Biscuit'), 'Sold');
    await place(page, 'Orders').tap();
    await rowIn(page, 'Sold', 'Biscuit').getByText('for Ms Lee, Friday').waitFor();
  });

  it('ends at midnight of the device, not before: what was sold today is no sale of today any more', async (t) => {
    const prepare = async (service: Service) => {
      await reserve(service, 1);
      await sell(service, 2);
    };
    const options = { prepare, path: '/#/orders', clock: true, isolated: true, timezoneId: zoneAtNoon() };
    const { page } = (await openConsole(t, ['Rex', 'Luna'], options)) ?? {};
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
    await page.getByRole('heading', { name: 'Nothing sold yet today' }).waitFor();
  });
});
