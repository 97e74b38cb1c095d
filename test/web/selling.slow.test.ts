import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import * as ui from './support/console.ts';
import { sell } from './support/orders.ts';
import { historyTexts, inPanel, noteField, openPanel, panelState, storedOrders } from './support/panel.ts';

const { button, clickFor, inConsole, message, messages, names, row, state, undo } = ui;
const ORDERS = /^(POST|PATCH) \/v1\/store\/orders/;

describe('Selling', { concurrency: 2 }, () => {
  after(closeBrowser);

  const animals = ['Rex', 'Luna', 'Milo'];
  inConsole('happens in the row, is told, and undone', { animals }, async ({ page, service }) => {
    await eventuallyEqual(() => names(page), ['Milo', 'Luna', 'Rex']);
    const before = await ui.positions(page);
    for (const [press, text, now] of [
      [/^Reserve .*Luna/, 'Luna is reserved.', 'Reserved'],
      [/^Cancel the reservation of .*Luna/, 'Luna is available again.', 'Available'],
      [/^Reserve .*Luna/, 'Luna is reserved.', 'Reserved'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
      [/^Take back .*Luna/, 'Luna was taken back.', 'Available'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
    ] as const) {
      await row(page, 'Luna').hover();
      await clickFor(button(page, press), text);
      await eventuallyEqual(() => state(page, 'Luna'), now);
      assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex']);
      assert.deepEqual(await ui.positions(page), before);
    }
    await clickFor(button(page, /^Reserve .*Rex/), 'Rex is reserved.');
    await eventuallyEqual(() => ui.counts(page), ['1', '1', '1', '3']);
    assert.deepEqual(await messages(page), ['Luna was taken back.', 'Luna is sold.', 'Rex is reserved.']);
    const log = page.getByRole('log', { name: 'Messages' });
    assert.equal(await log.getAttribute('aria-live'), 'polite');
    await clickFor(undo(page, 'the sale of .*Luna'), 'Undone: Luna is available again.');
    assert.equal(await undo(page, '').count(), 2, 'what is undone offers no Undo');
    assert.equal(await state(page, 'Luna'), 'Available');
    await eventuallyEqual(() => ui.counts(page), ['2', '1', '0', '3']);
    await button(page, 'Close the message').first().click();
    await eventuallyEqual(() => messages(page), ['Undone: Luna is available again.', 'Rex is reserved.']);
    assert.deepEqual(
      (await storedOrders(service)).map(([status]) => status),
      ['placed', 'cancelled', 'returned', 'cancelled'],
    );
  });

  inConsole('offers nothing else while it runs, and says why it was refused', { animals }, async (opened) => {
    const { page, service, front } = opened;
    await openPanel(page, 'Rex');
    front.fault(ORDERS, { hold: true });
    await inPanel(page, 'Sell').click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Selling…');
    assert.equal(await panelState(page), 'Selling…');
    assert.equal(await row(page, 'Rex').getByRole('button').count(), 0);
    assert.equal(await row(page, 'Luna').getByRole('button').count(), 2);
    await inPanel(page, 'Reserve').click({ force: true });
    assert.equal(front.requests.filter((line) => ORDERS.test(line)).length, 1);
    // Another till is faster.
    await sell(service, 1);
    front.fault();
    await message(page, 'Not sold: Rex is sold already.');
    assert.equal(await page.locator('.message .link').count(), 0, 'nothing to undo');
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold');
    assert.equal(await panelState(page), 'Sold');
    assert.equal(await ui.orderCount(service), 1);
  });

  const clock = { animals, clock: true, isolated: true };
  inConsole('without an answer is told in red, and sold once by Try again', clock, async (opened) => {
    const { page, service, front } = opened;
    await button(page, /^Sell .*Rex/).waitFor();
    front.fault(ORDERS, { loseAnswer: true });
    await button(page, /^Sell .*Rex/).click();
    await eventually(async () => {
      await page.clock.runFor(1000);
      return (await messages(page))[0]?.endsWith('The sale of Rex may or may not be done.') === true;
    }, 'the end of the repetitions');
    assert.equal(await page.locator('.message.wrong').count(), 1);
    front.fault();
    await clickFor(button(page, /^Try again: the sale of .*Rex/), 'Rex is sold.');
    assert.deepEqual([await messages(page), await page.locator('.wrong').count()], [['Rex is sold.'], 0]);
    assert.equal(await ui.orderCount(service), 1);
  });

  inConsole('in the panel has a note, and a history', { animals: ['Biscuit'] }, async ({ page, service }) => {
    await openPanel(page, 'Biscuit');
    await clickFor(inPanel(page, 'Reserve'), 'Biscuit is reserved.');
    assert.equal(await inPanel(page, 'Remove').count(), 0, 'a reserved animal cannot be removed');
    await inPanel(page, 'Add a note').click();
    await ui.focused(noteField(page));
    await page.keyboard.type('  for Ms Lee, Friday ');
    await page.keyboard.press('Enter');
    await message(page, 'The note of Biscuit is “for Ms Lee, Friday”.');
    await row(page, 'Biscuit').getByText('for Ms Lee, Friday').waitFor();
    await inPanel(page, 'for Ms Lee, Friday').click();
    await page.keyboard.type('for nobody');
    // What a colleague has written meanwhile is not overwritten unseen.
    await service.call('PATCH', '/v1/store/orders/1', { body: { note: 'for Zoë' } });
    await row(page, 'Biscuit').getByText('for Zoë').waitFor();
    await page.keyboard.press('Enter');
    const refusal = 'The note of Biscuit was not saved: someone else has changed it to “for Zoë”.';
    await message(page, `${refusal} Save again to replace that.`);
    await page.keyboard.press('Escape');
    // What is being typed outlives the sale.
    await inPanel(page, 'for Zoë').click();
    await noteField(page).fill('for Ms Lee, Friday');
    await clickFor(inPanel(page, 'Sell'), 'Biscuit is sold.');
    await noteField(page).press('Enter');
    await message(page, 'The note of Biscuit is “for Ms Lee, Friday”.');
    await page.getByText(/^Order 1, sold today at .* by .*, reserved today at /).waitFor();
    await inPanel(page, 'Take back').click();
    await eventuallyEqual(() => panelState(page), 'Available');
    assert.deepEqual(await storedOrders(service), [['returned', 'for Ms Lee, Friday']]);
    await eventuallyEqual(
      async () => (await historyTexts(page)).map((line) => line.split(/[ :]/)[0]),
      ['Taken', 'Note', 'Sold', 'Note', 'Note', 'Reserved', 'Added'],
    );
  });

  const unexplained = {
    animals: ['pending', 'sold'].map((status) => ({ name: `A ${status} one`, categoryId: 1, status })),
    path: '/#/animals?status=all',
  };
  inConsole('first needs Make available where no order explains the state', unexplained, async ({ page }) => {
    await row(page, 'A pending one').getByText('without an order').waitFor();
    await openPanel(page, 'A sold one');
    assert.equal(await panelState(page), 'Sold without an order');
    assert.equal(await button(page, /^(Sell|Take back)/).count(), 0, 'neither in the panel nor in a row');
    await clickFor(inPanel(page, 'Make available'), 'A sold one is available now.');
    await clickFor(inPanel(page, 'Sell'), 'A sold one is sold.');
  });
});
