import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, signIn } from '../support/browser.ts';
import type { Service } from '../support/service/service.ts';
import { animalNames, button, closeOrder, names, openConsole, order, row } from './support/console.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const namesIn = (page: Page, name: string) => card(page, name).locator('.name').allInnerTexts();
const head = async (page: Page, name: string) =>
  plain(await card(page, name).locator('.part h2').innerText());
const plain = (text: string) =>
  text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const result = async (page: Page, name: string) =>
  plain(await row(page, name).locator('.row-state, .two').innerText());
const reserve = (service: Service, petId: number, note: string) =>
  service.call('POST', '/v1/store/orders', { body: { petId, note } });

async function sellTwo(service: Service): Promise<void> {
  await order(service, 1);
  await reserve(service, 2, 'for Zoë, "the tall one"');
  await closeOrder(service, 1, 'completed');
  await closeOrder(service, 2, 'completed');
}

/** The page, with the device's clock so many days ahead. */
async function daysLater(page: Page, days: number): Promise<void> {
  await page.clock.setFixedTime(Date.now() + days * 86_400_000);
  await page.reload();
  await signIn(page);
}

after(closeBrowser);

describe('Orders', { concurrency: 2 }, () => {
  it('what waits comes first, the oldest at the top, with its age and with what has no order', async (t) => {
    const opened = await openConsole(
      t,
      ['Rex', 'Ruby', 'Luna', { name: 'Imported', categoryId: 7, status: 'pending' }],
      {
        path: '/#/orders',
        isolated: true,
        prepare: async (service) => {
          await order(service, 2);
          await reserve(service, 1, 'for Ms Lee');
          await order(service, 3);
        },
      },
    );
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    await eventually(() => head(page, 'Reserved'), 'Reserved 3');
    assert.match(await result(page, 'Ruby'), /^today \d\d:\d\d$/);
    assert.equal(await page.locator('.age.late').count(), 0);
    await daysLater(page, 5);
    await eventually(() => namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    assert.match(await result(page, 'Ruby'), /^5 days /);
    assert.equal(await page.locator('.age.late').count(), 3);
    await page.getByText('oldest first, 3 older than three days').waitFor();
    // What comes in elsewhere waits in the head of the page, and counts at once.
    await closeOrder(service, 3, 'cancelled');
    await order(service, 3);
    await button(page, '1 new reservation – show').waitFor();
    assert.deepEqual(await namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    await eventually(async () => (await result(page, 'Luna')).split(' ')[0], 'Cancelled');
    assert.equal(await head(page, 'Reserved'), 'Reserved 3');
    await button(page, '1 new reservation – show').click();
    await eventually(async () => (await result(page, 'Luna')).split(' ')[0], '5');
    await page.getByRole('link', { name: '1 without an order' }).click();
    await eventually(async () => (await names(page)).includes('Imported'), true);
  });

  it('is sold or cancelled in its row, which stays, and Undo brings it back with its note', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby'], {
      path: '/#/orders',
      prepare: async (service) => {
        await reserve(service, 1, 'for Ms Lee');
        await reserve(service, 2, 'for Tomasz');
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await button(page, /^Sell.*Rex/).click();
    await eventually(() => result(page, 'Rex'), 'Sold Undo');
    await eventually(() => head(page, 'Reserved'), 'Reserved 1');
    await eventually(() => head(page, 'Sold'), 'Sold 1');
    assert.deepEqual(await namesIn(page, 'Reserved'), ['Rex', 'Ruby'], 'nothing moves');
    await button(page, /^Cancel the reservation of.*Ruby/).click();
    await eventually(() => result(page, 'Ruby'), 'Cancelled Undo');
    await eventually(() => head(page, 'Reserved'), 'Reserved 0');
    await button(page, /^Undo the cancellation of .*Ruby/).click();
    await eventually(() => result(page, 'Ruby'), 'Reserved Undo');
    await button(page, /^Undo the sale of.*Rex/).click();
    await eventually(() => head(page, 'Reserved'), 'Reserved 2');
    await eventually(() => namesIn(page, 'Reserved'), ['Rex', 'Ruby']);
    await eventually(() => result(page, 'Rex'), 'Reserved Undo');
    await row(page, 'Rex').getByText('for Ms Lee').waitFor();
    await row(page, 'Ruby').getByText('for Tomasz').waitFor();
    assert.equal(await button(page, /new reservation/).count(), 0, 'they are in their rows already');
    const { text } = await service.call('GET', '/v1/store/orders?status=placed');
    assert.deepEqual((JSON.parse(text) as { note: string }[]).map(({ note }) => note).toSorted(), [
      'for Ms Lee',
      'for Tomasz',
    ]);
  });

  it('a note is added and changed in its row: Enter saves, Escape keeps the old one', async (t) => {
    const opened = await openConsole(t, ['Rex'], {
      path: '/#/orders',
      prepare: (service) => order(service, 1),
    });
    if (!opened) return;
    const { page, front } = opened;
    const field = page.getByRole('textbox', { name: /^Note for.*Rex/ });
    await button(page, /^Add note for.*Rex/).click();
    await page.locator('.row-note .input:focus').waitFor();
    await page.keyboard.type('for Ms Lee');
    await page.keyboard.press('Enter');
    await row(page, 'Rex').getByText('for Ms Lee', { exact: true }).waitFor();
    const edit = button(page, /^Edit the note for.*Rex/);
    await page.locator('.row-note .button:focus').waitFor();
    await edit.click();
    await field.fill('for nobody');
    await page.keyboard.press('Escape');
    await row(page, 'Rex').getByText('for Ms Lee', { exact: true }).waitFor();
    // What was typed is not lost when it cannot be saved, nor by looking elsewhere.
    front.fault(/^PATCH/, { status: 500 });
    await edit.click();
    await field.fill('for Tomasz');
    await button(page, 'Save').click();
    await row(page, 'Rex').locator('.failed').waitFor();
    assert.equal(await field.inputValue(), 'for Tomasz');
    front.fault();
    await page.getByRole('link', { name: 'Animals' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    await page.getByRole('link', { name: 'Orders' }).first().click();
    await eventually(() => field.inputValue(), 'for Tomasz');
    await button(page, 'Save').click();
    await row(page, 'Rex').getByText('for Tomasz', { exact: true }).waitFor();
    await button(page, /^Undo the new note for.*Rex/).click();
    await row(page, 'Rex').getByText('for Ms Lee', { exact: true }).waitFor();
  });

  it('sales are counted by the day of the sale, and taken back; a period is a file for a spreadsheet', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], {
      path: '/#/orders',
      isolated: true,
      prepare: async (service) => {
        await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
        await sellTwo(service);
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => head(page, 'Sold'), 'Sold 2');
    await eventually(() => namesIn(page, 'Sold'), ['Ruby', 'Rex']);
    await eventually(async () => /^by .*env-/.test(await row(page, 'Rex').locator('.by').innerText()), true);
    await row(page, 'Rex').hover();
    await button(page, /^Take back.*Rex/).click();
    await eventually(() => result(page, 'Rex'), 'Returned Undo');
    await page.getByText('1 sold, 1 returned').waitFor();
    // Sold elsewhere: the counts are true before it is shown.
    await order(service, 3);
    await closeOrder(service, 3, 'completed');
    await page.getByText('2 sold, 1 returned').waitFor();
    assert.equal(await head(page, 'Sold'), 'Sold 2');
    await button(page, '1 new sale – show').click();
    await eventually(() => namesIn(page, 'Sold'), ['Luna', 'Ruby', 'Rex']);
    await daysLater(page, 1);
    await page.getByRole('heading', { name: 'Nothing sold yet today' }).waitFor();
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await eventually(() => namesIn(page, 'Sold'), ['Luna', 'Ruby', 'Rex']);
    assert.match(await result(page, 'Rex'), /^Returned sold \d\d:\d\d, returned \d\d:\d\d$/);
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()]);
    const date = await page.evaluate(() => {
      const day = new Date(Date.now() - 86_400_000);
      return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, '0'));
    });
    assert.equal(file.suggestedFilename(), `sales-${date.join('-')}.csv`);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    assert.match(lines[0] ?? '', /^\ufeff"Order","Animal id"/);
    assert.match(lines[2] ?? '', /^2,2,"Ruby","Dogs","Sold","for Zoë, ""the tall one""",".*",".*","env-/);
    assert.match(lines[3] ?? '', /^1,1,"Rex","Dogs","Returned",/);
    // A day of choice, and a range.
    await page.getByRole('link', { name: 'A date' }).click();
    await page.getByLabel('From').fill('2025-03-01');
    await page.getByRole('heading', { name: 'Nothing was sold on Saturday 1 March 2025' }).waitFor();
    await page.getByLabel('to', { exact: true }).fill('2025-03-03');
    await page
      .getByRole('heading', { name: 'Nothing was sold from Saturday 1 to Monday 3 March 2025' })
      .waitFor();
    assert.match(page.url(), /sold=2025-03-01\.\.2025-03-03$/);
  });

  it('more sales than a page counts are not counted, and the file has all of them', async (t) => {
    const SALES = 1005;
    const opened = await openConsole(t, [], {
      path: '/#/orders',
      prepare: async (service) => {
        for (let from = 1; from <= SALES; from += 15)
          await Promise.all(
            Array.from({ length: 15 }, async (_, index) => {
              const body = { name: `Animal ${from + index}`, categoryId: 7 };
              const { id } = JSON.parse((await service.call('POST', '/v1/pets', { body })).text) as {
                id: number;
              };
              const placed = JSON.parse((await order(service, id)).text) as { id: number };
              await closeOrder(service, placed.id, 'completed');
            }),
          );
      },
    });
    if (!opened) return;
    const { page } = opened;
    await card(page, 'Sold').getByText('the latest 1,000').waitFor();
    assert.equal(await head(page, 'Sold'), 'Sold');
    assert.equal(await page.getByText(/\d sold/).count(), 0);
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.equal(new Set(lines).size, SALES + 1);
    await eventually(() => head(page, 'Sold'), 'Sold 1,005');
  });
});

/** Rex (1) was reserved twice, Ruby (2) and Luna (3) once. */
const reserveFour = async (service: Service) => {
  await order(service, 1);
  await order(service, 2);
  await closeOrder(service, 1, 'cancelled');
  await order(service, 3);
  await order(service, 1);
};

describe('Orders that are searched for', { concurrency: 2 }, () => {
  it('are found by a part of the name, by an id, and by their note', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], {
      path: '/#/orders',
      prepare: async (service) => {
        await reserveFour(service);
        await service.call('PATCH', '/v1/store/orders/2', { body: { note: 'for Ms Lée' } });
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventually(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna', 'Rex']);
    const search = page.getByRole('searchbox', { name: /^Find orders/ });
    await search.fill('r');
    await eventually(() => names(page), ['Rex', 'Ruby', 'Rex']);
    await search.fill('lee');
    await eventually(() => names(page), ['Ruby']);
    await page.getByText('for Ms Lée').waitFor();
    // Orders 4 and 1 are of animal 1; there is no animal 4.
    await search.fill('4');
    await eventually(() => names(page), ['Rex']);
    await search.fill('nobody');
    await page.getByRole('heading', { name: /^No order for/ }).waitFor();
    await search.fill('');
    await eventually(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna', 'Rex']);
    await page.getByRole('link', { name: 'Cancelled reservations' }).click();
    await eventually(() => names(page), ['Rex']);
    await page.getByRole('link', { name: 'Show all' }).click();
    // The orders of an animal that was removed keep its name.
    await closeOrder(service, 4, 'cancelled');
    await service.call('DELETE', '/v1/pets/1');
    await search.fill('#1');
    await eventually(() => names(page), ['Rex', 'Rex']);
    await eventually(() => page.getByText('removed', { exact: true }).count(), 2);
  });

  it('of many animals come a part at a time, and the page never says too early that there are none', async (t) => {
    const opened = await openConsole(t, animalNames(75), {
      path: '/#/orders?name=animal',
      prepare: (service) => order(service, 5),
    });
    if (!opened) return;
    const { page } = opened;
    // The animals 16 to 75 have no order.
    await page.getByRole('heading', { name: 'Nothing found so far' }).waitFor();
    await button(page, 'Search further').click();
    await eventually(() => names(page), ['Animal 5']);
    assert.equal(await button(page, 'Show more').count(), 0);
  });

  it('of one animal are one list, with what can be done in each row', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Ruby', 'Luna'], {
      path: '/#/orders?of=1',
      prepare: reserveFour,
    });
    if (!opened) return;
    const { page } = opened;
    await eventually(() => names(page), ['Rex', 'Rex']);
    await page.getByRole('heading', { name: 'Orders of Rex' }).waitFor();
    const latest = page.locator('.row').first();
    await latest.getByRole('button', { name: /^Sell/ }).click();
    await eventually(async () => plain(await latest.locator('.row-state').innerText()), 'Sold Undo');
    await page.mouse.move(0, 0);
    await latest.getByRole('button', { name: /^Take back/ }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => plain(await latest.locator('.row-state').innerText()), 'Returned Undo');
    await page.getByRole('link', { name: 'Rex', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Show all' }).click();
    await eventually(() => namesIn(page, 'Reserved'), ['Ruby', 'Luna']);
  });
});
