import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import * as ui from './support/console.ts';
import * as panels from './support/panel.ts';

const { button, clickFor, focused, inConsole, message, messages, nameField, names, orderCount } = ui;
const { positions, row, state, undo } = ui;
const { historyTexts, inPanel, noteField, openPanel, panelState, storedAnimals, storedOrders } = panels;
const ORDERS = /^(POST|PATCH) \/v1\/store\/orders/;

after(closeBrowser);

describe('Selling', { concurrency: 2 }, () => {
  const animals = ['Rex', 'Luna', 'Milo'];
  inConsole('happens in the row, is told, and undone', { animals }, async ({ page, service }) => {
    await eventuallyEqual(() => names(page), ['Milo', 'Luna', 'Rex']);
    const before = await positions(page);
    for (const [press, text, now] of [
      [/^Reserve .*Luna/, 'Luna is reserved.', 'Reserved'],
      [/^Cancel the reservation of .*Luna/, 'Luna is available again.', 'Available'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
      [/^Take back .*Luna/, 'Luna was taken back.', 'Available'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
    ] as const) {
      await row(page, 'Luna').hover();
      await clickFor(button(page, press), text);
      await eventuallyEqual(() => state(page, 'Luna'), now);
      assert.deepEqual(await positions(page), before);
    }
    await clickFor(button(page, /^Reserve .*Rex/), 'Rex is reserved.');
    await eventuallyEqual(() => ui.counts(page), ['1', '1', '1', '3']);
    assert.deepEqual(await messages(page), ['Luna was taken back.', 'Luna is sold.', 'Rex is reserved.']);
    assert.equal(await page.getByRole('log').getAttribute('aria-live'), 'polite', 'screen readers read them');
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

  const clock = { animals, clock: true, isolated: true };
  inConsole(
    'without an answer is done once by Try again; its Undo ends after a minute',
    clock,
    async (opened) => {
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
      assert.equal(await orderCount(service), 1);
      await ui.link(page, 'Rex').focus();
      await page.clock.runFor(59_000);
      assert.equal(await undo(page, 'the sale of .*Rex').count(), 1);
      await page.clock.runFor(1000);
      assert.deepEqual(await messages(page), []);
      await page.keyboard.press('u');
      await ui.refresh(opened);
      assert.deepEqual([await state(page, 'Rex'), await messages(page)], ['Sold', []]);
    },
  );

  inConsole('in the panel has a note, and a history', { animals: ['Biscuit'] }, async ({ page, service }) => {
    await openPanel(page, 'Biscuit');
    await clickFor(inPanel(page, 'Reserve'), 'Biscuit is reserved.');
    assert.equal(await inPanel(page, 'Remove').count(), 0, 'a reserved animal cannot be removed');
    await inPanel(page, 'Add a note').click();
    await focused(noteField(page));
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
});

type Point = readonly [x: number, y: number];

/** Clicks, waits for what that leads to, and clicks again in the same place, as the second half of a double click. */
async function doubleClick(page: Page, at: Point | Locator, between: () => Promise<unknown>): Promise<void> {
  const [x, y] = 'boundingBox' in at ? await middle(at) : at;
  await page.mouse.click(x, y);
  await between();
  await pressAgain(page, 2);
  // Until the page has done whatever the last click has led to.
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}

/** What the browser counts as the second or third click in a row is that, however slow the machine is. */
async function pressAgain(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

async function middle(of: Locator): Promise<Point> {
  const box = await of.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

describe('A second click', { concurrency: 2 }, () => {
  const animals = ['Rex', 'Luna', 'Milo'];
  inConsole('in a row presses nothing new', { animals }, async ({ page, service, front }) => {
    const before = await positions(page);
    const place = await middle(ui.reserveButton(page, 'Luna'));
    // Where the button was is the row at first, which is a link, and then another button.
    front.fault(/^POST \/v1\/store\/orders/, { hold: true });
    await doubleClick(page, place, () => row(page, 'Luna').locator('.running').waitFor());
    assert.equal(await row(page, 'Luna').getByRole('button').count(), 0, 'it offers nothing while it runs');
    front.fault();
    await eventuallyEqual(() => ui.state(page, 'Luna'), 'Reserved');
    await pressAgain(page, 3);
    assert.deepEqual(await positions(page), before);
    assert.equal(await page.getByRole('dialog').count(), 0, 'no link was followed');
    assert.deepEqual(await messages(page), ['Luna is reserved.']);
    assert.equal(await orderCount(service), 1);
    // After the pointer was elsewhere, a click is a new one.
    await page.mouse.move(0, 0);
    await page.mouse.move(...place);
    await pressAgain(page, 2);
    await eventuallyEqual(async () => (await messages(page)).length, 2);
  });

  inConsole('in the panel presses nothing new', { animals: ['Rex'] }, async ({ page, service }) => {
    await openPanel(page, 'Rex');
    await doubleClick(page, inPanel(page, 'Reserve'), () => inPanel(page, 'Cancel reservation').waitFor());
    await focused(page.locator('.panel'));
    assert.equal(await panelState(page), 'Reserved');
    assert.deepEqual(await storedOrders(service), [['placed', undefined]]);
    await ui.undo(page, '').dblclick();
    await message(page, 'Undone: Rex is available again.');
    assert.deepEqual(await storedOrders(service), [['cancelled', undefined]]);
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Max');
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis', categoryId: 3 } });
    // What has just been read is not overwritten: the page shows it beside what was typed.
    await doubleClick(page, inPanel(page, 'Save'), () =>
      message(page, 'Not saved: someone else has changed Rex meanwhile. Look at it and save again.'),
    );
    const fields = [page.locator('.panel').getByLabel('Category', { exact: true }), nameField(page)];
    assert.deepEqual(await Promise.all(fields.map((one) => one.inputValue())), ['3', 'Max']);
    assert.equal((await storedAnimals(service))[0]?.name, 'Otis');
  });

  const many = { animals: ui.animalNames(30) };
  inConsole('on what opens or closes a panel, or adds, presses nothing', many, async ({ page, service }) => {
    await ui.link(page, 'Animal 30').click();
    const place = await middle(inPanel(page, 'Sell'));
    const close = inPanel(page, 'Close');
    await page.keyboard.press('Escape');
    await close.waitFor({ state: 'detached' });
    await doubleClick(page, place, () => inPanel(page, 'Sell').waitFor());
    assert.deepEqual([await orderCount(service), await page.locator('.dialog').count()], [0, 0]);
    await page.mouse.move(0, 0);
    await doubleClick(page, close, () => close.waitFor({ state: 'detached' }));
    assert.equal(await page.getByRole('dialog').count(), 0);
    await ui.fillForm(page, 'Rex');
    await doubleClick(page, inPanel(page, 'Add'), () => message(page, 'Rex was added.'));
    assert.equal((await storedAnimals(service, '?limit=100')).length, 31);
    assert.equal(await page.getByText('Enter a name.').count(), 0);
    // The button that opens the form lies where the panel has its own.
    await page.keyboard.press('Escape');
    const form = page.getByRole('dialog', { name: 'Add animals' });
    await form.waitFor({ state: 'detached' });
    await doubleClick(page, button(page, 'Add animals').first(), () => form.waitFor());
    await form.waitFor();
  });
});
