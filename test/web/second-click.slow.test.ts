import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import * as ui from './support/console.ts';
import { inPanel, openPanel, panelState, storedAnimals, storedOrders } from './support/panel.ts';

const { button, focused, inConsole, message, messages, nameField, orderCount, positions } = ui;
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
  after(closeBrowser);

  const animals = ['Rex', 'Luna', 'Milo'];
  inConsole('in a row presses nothing new', { animals }, async ({ page, service, front }) => {
    const before = await positions(page);
    for (const [press, name, now] of [
      ['Reserve', 'Luna', 'Reserved'],
      ['Sell', 'Milo', 'Sold'],
    ] as const) {
      const [told, ordered] = [(await messages(page)).length, await orderCount(service)];
      const place = await middle(button(page, new RegExp(`^${press} .*${name}`)));
      // Where the button was is the row at first, which is a link, and then another button.
      front.fault(/^POST \/v1\/store\/orders/, { hold: true });
      await doubleClick(page, place, () => ui.row(page, name).locator('.running').waitFor());
      front.fault();
      await eventuallyEqual(() => ui.state(page, name), now);
      await pressAgain(page, 3);
      assert.deepEqual(await positions(page), before);
      assert.equal(await page.getByRole('dialog').count(), 0, 'no link was followed');
      assert.equal((await messages(page)).length, told + 1);
      assert.equal(await orderCount(service), ordered + 1);
      // After the pointer was elsewhere, a click is a new one.
      await page.mouse.move(0, 0);
      await page.mouse.click(...place);
      await eventuallyEqual(async () => (await messages(page)).length, Math.min(told + 2, 3));
    }
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
    // A key that is held down repeats: what has come to the place of the button does not get it.
    await inPanel(page, 'Reserve').focus();
    await page.keyboard.down('Enter');
    await inPanel(page, 'Cancel reservation').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await focused(page.locator('.panel'));
    assert.equal(await panelState(page), 'Reserved');
    await inPanel(page, 'Cancel reservation').click();
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
    await inPanel(page, 'Discard').click();
    const keep = button(page, 'Keep');
    await doubleClick(page, inPanel(page, 'Remove'), () => keep.waitFor());
    await keep.waitFor();
    assert.equal((await storedAnimals(service)).length, 1);
  });

  const many = { animals: ui.animalNames(30) };
  inConsole('on what opens or closes a panel presses nothing', many, async ({ page, service }) => {
    await ui.link(page, 'Animal 30').click();
    const place = await middle(inPanel(page, 'Sell'));
    const close = inPanel(page, 'Close');
    await page.keyboard.press('Escape');
    await close.waitFor({ state: 'detached' });
    await doubleClick(page, place, () => inPanel(page, 'Sell').waitFor());
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Max');
    await doubleClick(page, inPanel(page, 'Discard'), () => inPanel(page, 'Sell').waitFor());
    assert.deepEqual([await orderCount(service), await page.locator('.dialog').count()], [0, 0]);
    await page.mouse.move(0, 0);
    await doubleClick(page, close, () => close.waitFor({ state: 'detached' }));
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  inConsole('on Add adds one, and finds nothing wrong with the next', {}, async ({ page, service }) => {
    await ui.fillForm(page, 'Rex');
    await doubleClick(page, inPanel(page, 'Add'), () => message(page, 'Rex was added.'));
    assert.equal((await storedAnimals(service)).length, 1);
    assert.equal(await page.getByText('Enter a name.').count(), 0);
    // The button that opens the form lies where the panel has its own.
    await page.keyboard.press('Escape');
    const form = page.getByRole('dialog', { name: 'Add animals' });
    await form.waitFor({ state: 'detached' });
    await doubleClick(page, button(page, 'Add animals').first(), () => form.waitFor());
    await form.waitFor();
  });
});
