import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import * as orders from './support/orders.ts';
import { historyTexts, openPanel, panel, storedOrders } from './support/panel.ts';

const { action, card, cells, head, namesIn, reserve, rowIn, sell } = orders;
const { button, clickFor, closeOrder, inConsole, message, place } = ui;

after(closeBrowser);

/** The page, with the device's clock so many days ahead. */
async function daysLater(page: Page, days: number): Promise<void> {
  await page.clock.setFixedTime(Date.now() + days * 86_400_000);
  await page.reload();
  await signIn(page);
}

const when = async (page: Page, list: string, name: string) =>
  (await cells(rowIn(page, list, name)))[0] ?? '';
const days = async (page: Page) => (await card(page, 'Sold').locator('.day').allInnerTexts()).join();
const period = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name });

describe('Orders', { concurrency: 2 }, () => {
  const path = '/#/orders';

  const waiting = {
    animals: ['Rex', 'Ruby', 'Luna'],
    path,
    isolated: true,
    prepare: async (service: Service) => {
      await reserve(service, 2);
      await reserve(service, 1, 'for Ms Lee');
      await reserve(service, 3);
    },
  };
  inConsole('what waits comes first, with its age, note and who', waiting, async ({ page }) => {
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    assert.equal(await head(page, 'Reserved'), 'Reserved 3');
    await card(page, 'Reserved').getByText('oldest first').waitFor();
    await eventually(async () => {
      const [age = '', note, who = ''] = await cells(rowIn(page, 'Reserved', 'Rex'));
      return /^today \d\d:\d\d$/.test(age) && note === 'for Ms Lee' && /^.?env-/.test(who);
    }, 'age, note and who');
    const marks = card(page, 'Reserved').locator('.row .mark');
    assert.equal(await marks.count(), 0);
    await daysLater(page, 4);
    await eventuallyEqual(() => marks.count(), 3);
    assert.match(await when(page, 'Reserved', 'Ruby'), /^4 days \w{3} \d/);
  });

  const imported = ['Gus', 'Ida'].map((name) => ({ name, categoryId: 7, status: 'pending' }));
  const rex = {
    animals: ['Rex', ...imported, 'Luna'],
    path,
    prepare: (service: Service) => reserve(service, 1),
  };
  inConsole('what is reserved without an order is counted, and shown', rex, async (opened) => {
    const { page, service } = opened;
    const link = page.getByRole('link', { name: '2 animals are reserved without an order' });
    await link.click();
    await eventuallyEqual(() => ui.names(page), ['Ida', 'Gus']);
    await closeOrder(service, 1, 'cancelled');
    await place(page, 'Orders').click();
    await page.getByRole('heading', { name: 'No reservations' }).waitFor();
    await link.click();
    for (const name of ['Ida', 'Gus'])
      await clickFor(action(page, 'Make available:', name), `${name} is available now.`);
    await place(page, 'Orders').click();
    await ui.refresh(opened);
    await eventuallyEqual(() => page.getByText('without an order').count(), 0);
  });

  const three = {
    animals: ['Rex', 'Ruby', 'Luna'],
    path,
    prepare: async (service: Service) => {
      await reserve(service, 1, 'for Ms Lee');
      await reserve(service, 2, 'for Tomasz');
      await sell(service, 3);
    },
  };
  inConsole('closing one keeps its row; what is undone was no sale', three, async (opened) => {
    const { page, service } = opened;
    const undo = (what: string, name: string) => action(page, `Undo ${what} of`, name).click();
    assert.deepEqual(await orders.buttons(rowIn(page, 'Reserved', 'Rex')), ['Cancel', 'Sell']);
    await clickFor(action(page, 'Sell', 'Rex'), 'Rex is sold.');
    await eventuallyEqual(() => when(page, 'Reserved', 'Rex'), 'Sold');
    assert.deepEqual(await orders.buttons(rowIn(page, 'Reserved', 'Rex')), ['Take back']);
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 2');
    await clickFor(action(page, 'Cancel the reservation of', 'Ruby'), 'Ruby is available again.');
    await eventuallyEqual(() => when(page, 'Reserved', 'Ruby'), 'Cancelled');
    assert.equal(await head(page, 'Reserved'), 'Reserved 0');
    assert.deepEqual(await namesIn(page, 'Reserved'), ['Rex', 'Ruby'], 'nothing moves');
    await button(page, '1 new sale – show').click();
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Rex', 'Luna']);
    await undo('the sale', 'Rex');
    await message(page, 'Undone: Rex is reserved again.');
    await undo('the cancellation of the reservation', 'Ruby');
    await message(page, 'Undone: Ruby is reserved again.');
    await eventuallyEqual(() => head(page, 'Reserved'), 'Reserved 2');
    const stored = 'completed,,placed,for Tomasz,placed,for Ms Lee';
    assert.equal(`${await storedOrders(service)}`, stored, 'reserved as they were');
    // Its row among the sales stays as well, and counts no more, on paper either.
    await eventuallyEqual(() => when(page, 'Sold', 'Rex'), 'Reserved');
    assert.equal(await head(page, 'Sold'), 'Sold 1');
    assert.match(await days(page), /^Today .* · 1 sold$/);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await rowIn(page, 'Sold', 'Rex').isVisible(), false);
    await card(page, 'Sold')
      .getByText(/^Sold on .*: 1, returned: 0$/)
      .waitFor();
    await page.emulateMedia({ media: null });
    assert.equal(await button(page, /– show$/).count(), 0, 'they are in their rows already');
    await rowIn(page, 'Sold', 'Luna').hover();
    await clickFor(action(page, 'Take back', 'Luna'), 'Luna was taken back.');
    assert.match((await cells(rowIn(page, 'Sold', 'Luna')))[1] ?? '', /^Returned at \d\d:\d\d$/);
    assert.match(await days(page), / · 0 sold, 1 returned$/);
  });

  const sales = {
    animals: ['Rex', 'Ruby', 'Luna', 'Milo'],
    path,
    isolated: true,
    prepare: async (service: Service) => {
      await sell(service, 1);
      await reserve(service, 2, 'for Zoë, "the tall one"');
      const key = await keyWith(service, ['store:write']);
      await service.call('PATCH', '/v1/store/orders/2', { key, body: { status: 'completed' } });
      await sell(service, 3);
      await closeOrder(service, 3, 'returned');
      // Undone: no sale.
      await sell(service, 4);
      await closeOrder(service, 4, 'cancelled');
    },
  };
  inConsole('the sales of a period are a file, and counted if all are there', sales, async ({ page }) => {
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 2');
    assert.match((await cells(rowIn(page, 'Sold', 'Ruby')))[2] ?? '', /^.?till 3/, 'not who has reserved it');
    await openPanel(page, 'Ruby');
    await panel(page, 'Ruby')
      .getByText(/, sold .* by .?till 3.?, reserved /)
      .waitFor();
    await page.keyboard.press('Escape');
    await daysLater(page, 1);
    await page.getByRole('heading', { name: 'Nothing sold yet today' }).waitFor();
    await period(page, 'Dates').click();
    const { to, day } = await page.evaluate(() => {
      const text = (at: Date) => at.toLocaleDateString('sv');
      return { to: text(new Date()), day: text(new Date(Date.now() - 86_400_000)) };
    });
    await page.getByLabel('From').fill(day);
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Luna', 'Ruby', 'Rex']);
    assert.match(await days(page), /^Yesterday .* · 2 sold, 1 returned$/);
    const { name, lines } = await orders.downloadCsv(page);
    assert.equal(name, `sales-${day}-to-${to}.csv`);
    assert.equal(lines.length, 4);
    assert.match(lines[2] ?? '', /^2,2,"Ruby",,"Sold","for Zoë, ""the tall one""",/);
    // The service has more of them than the page can show.
    await page.route(/completedFrom=/, async (route) => {
      const link = `<${route.request().url()}>; rel="next"`;
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), link } });
    });
    await period(page, 'This week').click();
    await card(page, 'Sold').getByText('the latest 3', { exact: true }).waitFor();
    assert.equal(await head(page, 'Sold'), 'Sold', 'they are not counted');
    assert.doesNotMatch(await days(page), /\d sold/);
    await page.getByText('Choose dates to see others. The CSV file has all.').waitFor();
  });

  const november = { path: '/#/orders?sold=2025-11-10', isolated: true };
  inConsole('dates are typed in any order; a wrong range is an error', november, async ({ page }) => {
    const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
    const nothing = (text: string) =>
      page.getByRole('heading', { name: `Nothing was sold ${text}` }).waitFor();
    const typed = async () => [await from.inputValue(), await to.inputValue()];
    const type = async (field: typeof from, digits: string) => {
      await field.focus();
      await page.keyboard.type(digits);
    };
    await nothing('on Monday 10 November 2025');
    // Also on a slow device, which draws after the next digit.
    const device = await page.context().newCDPSession(page);
    await device.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    await type(from, '11202025');
    assert.deepEqual(await typed(), ['2025-11-20', '2025-11-10'], 'never swapped');
    await device.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.getByText('The last day is before the first.').waitFor();
    assert.equal(await from.getAttribute('aria-invalid'), 'true');
    await type(to, '11222025');
    assert.deepEqual(await typed(), ['2025-11-20', '2025-11-22']);
    await nothing('from Thursday 20 to Saturday 22 November 2025');
    assert.match(page.url(), /sold=2025-11-20\.\.2025-11-22$/);
    assert.equal(await card(page, 'Sold').locator('.problem').innerText(), '');
  });
});

const MARKUP = '<img src=x onerror="document.title=1">';

/** Everything that can happen to an animal and its category, by a key whose name is markup. */
async function aDay(service: Service): Promise<void> {
  const key = await keyWith(service, ['*'], MARKUP);
  const send = (method: string, path: string, body?: object) =>
    service.call(method, `/v1/${path}`, { key, body });
  for (const name of ['Bunnies', MARKUP]) await send('PUT', 'categories/7', { name });
  await send('POST', 'pets', { name: 'Bisquit', categoryId: 7 });
  await send('PATCH', 'pets/1', { name: MARKUP, categoryId: 8 });
  await send('DELETE', 'categories/7');
  await send('POST', 'store/orders', { petId: 1, note: MARKUP });
  for (const status of ['completed', 'returned', 'completed', 'placed', 'cancelled', 'placed', 'cancelled'])
    await send('PATCH', 'store/orders/1', { status });
  for (const note of ['paid', null]) await send('PATCH', 'store/orders/1', { note });
  await send('DELETE', 'pets/1?reason=a%20mistake');
  await send('POST', 'pets/1/restore');
  await send('POST', 'store/orders', { petId: 1, status: 'completed' });
  await send('PATCH', 'store/orders/2', { status: 'cancelled' });
}
/** How it is told, where `X` is markup. */
const THE_DAY = `The sale of X was undone. X was sold. X was restored. X was removed: a mistake. The note of X was removed. The note of X is now “paid”.
The reservation of X was cancelled. X was reserved again: “X”. The reservation of X was cancelled.
The sale of X was undone; it is reserved again. The return of X was undone. X was taken back. X was sold: “X”.
X was reserved: “X”. Category “X” was removed. X was renamed from “Bisquit”, moved from category 7 to category 8.
Bisquit was added. Category “Bunnies” was renamed to “X”. Category “Bunnies” was added`;

/** Two tills with one name, which have done something, and a key that has not. */
async function threeKeys(service: Service): Promise<void> {
  for (const name of ['till', 'till']) {
    const key = await keyWith(service, ['*'], name);
    await service.call('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 7 } });
  }
  await keyWith(service, ['*'], 'office');
}
const KEYS = ['Everyone', 'office', 'till', 'till'];

const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
const texts = async (of: Locator) => (await of.allInnerTexts()).map(plain);
const lines = (page: Page) => texts(page.locator('.rows.activity .row > .state > span'));
const history = async (page: Page) =>
  (await historyTexts(page)).map((line) => plain(line).replace(/ by .*/, ''));
type Story = (service: Service) => Promise<void>;
const inActivity = (title: string, prepare: Story, test: (page: Page, service: Service) => Promise<void>) =>
  inConsole(title, { path: '/#/activity', prepare }, ({ page, service }) => test(page, service));

describe('Activity', { concurrency: 2 }, () => {
  inActivity('all is told, markup as text; another key sees orders only', aDay, async (page, service) => {
    const told = async () => (await lines(page)).join('. ').replaceAll(MARKUP, 'X');
    await eventuallyEqual(told, THE_DAY.replaceAll('\n', ' '));
    assert.deepEqual(await texts(page.locator('.rows.activity .cells')), Array(19).fill(MARKUP));
    await page.getByText(/^Today .* · 19 changes$/).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await page.locator('.rows.activity').getByRole('link', { name: MARKUP }).first().click();
    await eventuallyEqual(async () => (await history(page)).slice(0, 3), ['Sale undone', 'Sold', 'Restored']);
    await page.keyboard.press('Escape');
    await ui.signOut(page);
    await page.goto(page.url().replace('activity', 'animals'));
    await signIn(page, await keyWith(service, ['pets:read', 'store:read']));
    await openPanel(page, MARKUP);
    await eventuallyEqual(() => history(page), ['Cancelled', 'Cancelled']);
  });

  inActivity('who, among all keys, and when are in the address', threeKeys, async (page) => {
    const [who, day] = [page.getByLabel('Who'), page.getByLabel('Day', { exact: true })];
    const options = async () =>
      (await who.locator('option').allInnerTexts()).map((name) => name.split(/\W/)[0]);
    await eventuallyEqual(options, KEYS);
    const [till] = await who.locator('option', { hasText: /^till \(key \w+\)/ }).allInnerTexts();
    await who.selectOption(`${till}`);
    await eventuallyEqual(() => lines(page), ['Rex was added']);
    assert.deepEqual(await options(), KEYS);
    const time = await page.locator('.row time').getAttribute('datetime');
    await day.fill('2025-03-01');
    await page.getByRole('heading', { name: /^No changes by .*till.* on Saturday 1 March 2025/ }).waitFor();
    await day.fill(await page.evaluate(`new Date('${time}').toLocaleDateString('sv')`));
    await eventuallyEqual(() => lines(page), ['Rex was added']);
    assert.match(page.url(), /#\/activity\?by=\w+&day=\d{4}-\d\d-\d\d$/);
    await day.fill('2025-03-01');
    await page.getByRole('link', { name: 'Show all changes' }).click();
    await eventuallyEqual(async () => (await lines(page)).length, 2);
  });
});
