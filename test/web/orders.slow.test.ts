import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, closeOrder, names, openConsole, order, row } from './support/console.ts';
import { card, head, namesIn, result } from './support/orders.ts';

const reserve = (service: Service, petId: number, note: string) =>
  service.call('POST', '/v1/store/orders', { body: { petId, note } });

async function sellTwo(service: Service): Promise<void> {
  await service.call('POST', '/v1/store/orders', { body: { petId: 1, status: 'completed' } });
  await reserve(service, 2, 'for Zoë, "the tall one"');
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
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    await eventuallyEqual(() => head(page, 'Reserved'), 'Reserved 3');
    assert.match(await result(page, 'Ruby'), /^today \d\d:\d\d$/);
    assert.equal(await page.locator('.age.late').count(), 0);
    await daysLater(page, 5);
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    assert.match(await result(page, 'Ruby'), /^5 days /);
    assert.equal(await page.locator('.age.late').count(), 3);
    await page.getByText('oldest first, 3 older than three days').waitFor();
    // What comes in elsewhere waits in the head of the page, and counts at once.
    await closeOrder(service, 3, 'cancelled');
    await order(service, 3);
    await button(page, '1 new reservation – show').waitFor();
    assert.deepEqual(await namesIn(page, 'Reserved'), ['Ruby', 'Rex', 'Luna']);
    await eventuallyEqual(async () => (await result(page, 'Luna')).split(' ')[0], 'Cancelled');
    assert.equal(await head(page, 'Reserved'), 'Reserved 3');
    await button(page, '1 new reservation – show').click();
    await eventuallyEqual(async () => (await result(page, 'Luna')).split(' ')[0], '5');
    await page.getByRole('link', { name: '1 without an order' }).click();
    await eventuallyEqual(() => names(page), ['Imported', 'Luna', 'Ruby', 'Rex']);
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
    await eventuallyEqual(() => result(page, 'Rex'), 'Sold Undo');
    await eventuallyEqual(() => head(page, 'Reserved'), 'Reserved 1');
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 1');
    assert.deepEqual(await namesIn(page, 'Reserved'), ['Rex', 'Ruby'], 'nothing moves');
    await button(page, /^Cancel the reservation of.*Ruby/).click();
    await eventuallyEqual(() => result(page, 'Ruby'), 'Cancelled Undo');
    await eventuallyEqual(() => head(page, 'Reserved'), 'Reserved 0');
    await button(page, /^Undo the cancellation of .*Ruby/).click();
    await eventuallyEqual(() => result(page, 'Ruby'), 'Reserved');
    await button(page, /^Undo the sale of.*Rex/).click();
    await eventuallyEqual(() => head(page, 'Reserved'), 'Reserved 2');
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Rex', 'Ruby']);
    await eventuallyEqual(() => result(page, 'Rex'), 'Reserved');
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 0');
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
    await eventuallyEqual(() => field.inputValue(), 'for Tomasz');
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
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 2');
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Ruby', 'Rex']);
    await eventuallyEqual(
      async () => /^by .*env-/.test(await row(page, 'Rex').locator('.by').innerText()),
      true,
    );
    await row(page, 'Rex').hover();
    await button(page, /^Take back.*Rex/).click();
    await eventuallyEqual(() => result(page, 'Rex'), 'Returned Undo');
    await page.getByText('1 sold, 1 returned').waitFor();
    // Sold elsewhere: the counts are true before it is shown.
    await order(service, 3);
    await closeOrder(service, 3, 'completed');
    await page.getByText('2 sold, 1 returned').waitFor();
    assert.equal(await head(page, 'Sold'), 'Sold 2');
    await button(page, '1 new sale – show').click();
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Luna', 'Ruby', 'Rex']);
    // A sale that is undone is neither sold nor returned, and not on paper.
    await closeOrder(service, 3, 'placed');
    await page.getByText('1 sold, 1 returned').waitFor();
    assert.deepEqual(await namesIn(page, 'Sold'), ['Ruby', 'Rex']);
    await closeOrder(service, 3, 'completed');
    await daysLater(page, 1);
    await page.getByRole('heading', { name: 'Nothing sold yet today' }).waitFor();
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Luna', 'Ruby', 'Rex']);
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
    assert.match(lines[3] ?? '', /^1,1,"Rex","Dogs","Returned",,,"/, 'not reserved before');
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
    await eventuallyEqual(() => head(page, 'Sold'), 'Sold 1,005');
  });
});
