import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, setHidden, signIn } from '../support/browser.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { cells, head, namesIn, reserve, rowIn, sell } from './support/orders.ts';
import { closed, inPanel, noteField, openPanel, panel } from './support/panel.ts';

const { animalNames, button, focused, inConsole, names, place, reserveButton, search, tab } = ui;
const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');
const address = (page: Page) => new URL(page.url()).hash;
const rowCount = async (page: Page) => (await names(page)).length;
const titled = (page: Page, view: string) => eventuallyEqual(() => page.title(), `${view} · Animal Store`);

after(closeBrowser);

describe('Finding the way in the console', { concurrency: 2 }, () => {
  const thirty = { animals: animalNames(30) };
  inConsole('a link leads to the top of its view, and the focus to its title', thirty, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 30);
    await page.evaluate('scrollTo(0, 400)');
    await page.locator('.brand').focus();
    await page.keyboard.press('Shift+Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.locator('#view-title'));
    await tab(page, 'All').click();
    await eventuallyEqual(async () => [address(page), await scroll(page)], ['#/animals?status=all', 0]);
    // Scrolling ends when the address has changed already.
    await page.evaluate(
      "scrollTo(0, 400); location.hash = '#/animals'; dispatchEvent(new Event('scrollend'))",
    );
    await eventuallyEqual(async () => [address(page), await scroll(page)], ['#/animals', 0]);
    await place(page, 'Categories').click();
    await titled(page, 'Categories');
    // The form is over the animals only.
    await page.keyboard.press('n');
    await panel(page, 'Add animals').waitFor();
    assert.equal(address(page), '#/animals');
    await focused(ui.nameField(page));
    await place(page, 'Keys').click();
    await closed(page);
    await titled(page, 'Keys');
    // What makes no sense in an address is removed from it, and is no entry of its own.
    await page.evaluate("location.hash = '#/nonsense'");
    await eventuallyEqual(async () => address(page), '#/animals');
    await page.goBack();
    await titled(page, 'Keys');
  });

  const many = { animals: animalNames(130), keep: true, isolated: true };
  inConsole('Back leads to as many rows as there were, at the same place', many, async ({ page }) => {
    const isBack = async () => {
      await eventuallyEqual(() => rowCount(page), 130);
      await eventuallyEqual(() => scroll(page), 2000);
    };
    await ui.button(page, 'Show more').click();
    await eventuallyEqual(() => rowCount(page), 130);
    await page.evaluate('scrollTo(0, 2000)');
    await tab(page, 'All').click();
    await eventuallyEqual(() => rowCount(page), 50);
    assert.equal(await scroll(page), 0);
    await page.goBack();
    await isBack();
    // The focus in the bars, which stay in sight, does not scroll the list either.
    for (const inBar of [tab(page, 'Sold'), place(page, 'Keys')]) await inBar.focus();
    assert.equal(await scroll(page), 2000);
    await place(page, 'Activity').press('Enter');
    await titled(page, 'Activity');
    await page.goBack();
    await isBack();
    await page.goForward();
    await titled(page, 'Activity');
    await page.reload();
    await titled(page, 'Activity');
    await page.goBack();
    await isBack();
  });

  const all = { animals: animalNames(40), path: '/#/animals?status=all' };
  inConsole('a panel opens over the list, and closing it leads back to its row', all, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 40);
    await page.evaluate('scrollTo(0, 500)');
    await openPanel(page, 'Animal 20');
    assert.equal(address(page), '#/animals?status=all&animal=20');
    await page.goBack();
    await closed(page);
    assert.equal(await scroll(page), 500);
    for (const close of [() => page.keyboard.press('Escape'), () => inPanel(page, 'Close').click()]) {
      await openPanel(page, 'Animal 20');
      await close();
      await closed(page);
      await focused(ui.link(page, 'Animal 20'));
      assert.equal(await scroll(page), 500);
      assert.equal(address(page), '#/animals?status=all');
    }
    // However many animals were looked at, the list is the entry before them.
    for (const name of ['Animal 22', 'Animal 20', 'Animal 18']) await openPanel(page, name);
    await inPanel(page, 'Close').click();
    await closed(page);
    assert.equal(address(page), '#/animals?status=all');
    await page.goForward();
    await panel(page, 'Animal 22').waitFor();
  });

  const first = { animals: animalNames(60), path: '/#/animals?animal=1' };
  inConsole('a link to an animal leads to its list; Close keeps a search', first, async ({ page }) => {
    // Beyond the first page.
    await panel(page, 'Animal 1').getByRole('heading', { name: 'Animal 1', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    assert.equal(address(page), '#/animals');
    await openPanel(page, 'Animal 60');
    await search(page).fill('l 60');
    await eventuallyEqual(() => names(page), ['Animal 60']);
    await inPanel(page, 'Close').click();
    await closed(page);
    assert.equal(address(page), '#/animals?status=all&name=l+60');
    assert.deepEqual(await names(page), ['Animal 60']);
  });

  const timed = { animals: ['Rex', 'Rio'], clock: true, isolated: true };
  inConsole('what is typed while the address changes stays in the search', timed, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 2);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await search(page).pressSequentially('r');
    await page.clock.runFor(100);
    await search(page).pressSequentially('i ');
    await page.clock.runFor(1000);
    assert.equal(await search(page).inputValue(), 'ri ', 'the field is what was typed');
    await eventually(async () => {
      await page.clock.runFor(100);
      return (await names(page)).join() === 'Rio';
    }, 'what was found');
    assert.equal(address(page), '#/animals?status=all&name=ri');
  });
});

/** What is wrong, as the header says it. */
const wrong = (page: Page) => page.getByRole('banner').getByRole('status').innerText();

/** Where the day is far from over, whenever the test runs. In these names, + is west. */
function zoneAtNoon(): string {
  const west = new Date().getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

describe('A day with the console', { concurrency: 2 }, () => {
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
    await setHidden(other, false);
    await button(other, '1 new animal – show').waitFor();
    await ui.signOut(page);
    await eventuallyEqual(() => openStreams(service), 1);
  });

  const held = { animals: ['Luna'], isolated: true };
  inConsole(
    'asks every few seconds, and says so, while a proxy holds the stream back',
    held,
    async (opened) => {
      const { page, service, front } = opened;
      front.fault(/^GET \/v1\/events/, { hold: true });
      await page.reload();
      await signIn(page);
      await eventuallyEqual(() => names(page), ['Luna']);
      await ui.order(service, 1);
      await eventuallyEqual(() => ui.state(page, 'Luna'), 'Reserved');
      await eventuallyEqual(() => wrong(page), 'Updated every few seconds');
      front.fault();
      await eventuallyEqual(() => wrong(page), '');
    },
  );

  inConsole('offline is readable, and rests', { ...two, clock: true }, async ({ page, front }) => {
    await reserveButton(page, 'Rex').waitFor();
    await page.context().setOffline(true);
    await eventually(async () => /^Offline since \d\d:\d\d$/.test(await wrong(page)), 'offline');
    const said = await wrong(page);
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
