import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, openConsole, row, state } from './support/console.ts';
import {
  historyTexts,
  inPanel,
  noteField,
  openPanel,
  panel,
  panelState,
  storedOrders,
} from './support/panel.ts';

const NOTE = 'for Ms Lee, Friday';
const reserved = (service: Service) =>
  service.call('POST', '/v1/store/orders', { body: { petId: 1, note: NOTE } });

describe('Selling', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('reserves with a note, shows it in the row and the panel, and never offers it to the next customer', async (t) => {
    const { page, service } = (await openConsole(t, ['Biscuit'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Biscuit');
    await noteField(page).fill(`  ${NOTE} `);
    await inPanel(page, 'Reserve').click();
    await eventuallyEqual(() => panelState(page), 'Reserved Undo');
    assert.deepEqual(await storedOrders(service), [['placed', NOTE]]);
    await page.locator('.order').getByText(NOTE).waitFor();
    await row(page, 'Biscuit').getByText(NOTE).waitFor();
    await page.mouse.move(0, 0);
    await inPanel(page, 'Cancel reservation').click();
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    assert.equal(await noteField(page).inputValue(), '');
  });

  it('has Undo where a click reaches it, however long the note is', async (t) => {
    const { page } = (await openConsole(t, ['Biscuit'], { isolated: true })) ?? {};
    if (!page) return;
    for (const width of [768, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await openPanel(page, 'Biscuit');
      await noteField(page).fill(`${NOTE} `.repeat(20));
      await inPanel(page, 'Reserve').click();
      await page.keyboard.press('Escape');
      const undo = row(page, 'Biscuit').getByText('Undo');
      await page.mouse.move(0, 0);
      await undo.click();
      await eventuallyEqual(() => state(page, 'Biscuit'), 'Available');
      // It never comes to where the pointer still is from Sell.
      const sell = await button(page, /^Sell .*Biscuit/).boundingBox();
      await button(page, /^Sell .*Biscuit/).click();
      await eventuallyEqual(() => state(page, 'Biscuit'), 'Sold Undo');
      const box = await undo.boundingBox();
      assert.ok(sell && box && box.x + box.width <= sell.x, `${width}`);
      await undo.click();
      await eventuallyEqual(() => state(page, 'Biscuit'), 'Available');
    }
  });

  it('changes the note of a reservation in its place: Enter saves, Escape keeps, a half-typed one waits', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna'], { prepare: reserved });
    if (!opened) return;
    const { page, service } = opened;
    await openPanel(page, 'Rex');
    await button(page, 'Edit the note').click();
    await noteField(page).fill('for Ms Lee, Saturday');
    await inPanel(page, 'Previous animal').click();
    await panel(page, 'Luna').waitFor();
    await inPanel(page, 'Next animal').click();
    await panel(page, 'Rex').waitFor();
    assert.equal(await noteField(page).inputValue(), 'for Ms Lee, Saturday');
    await noteField(page).press('Escape');
    await page.locator('.order').getByText(NOTE).waitFor();
    assert.deepEqual(await storedOrders(service), [['placed', NOTE]]);
    await button(page, 'Edit the note').click();
    await page.keyboard.type('for Ms Lee, Sunday');
    await page.keyboard.press('Enter');
    await page.locator('.order-note').getByText('for Ms Lee, Sunday').waitFor();
    await eventuallyEqual(() => storedOrders(service), [['placed', 'for Ms Lee, Sunday']]);
    await page.locator('.panel').getByText('Undo').click();
    await page.locator('.order-note').getByText(NOTE).waitFor();
  });

  it('sells in one step, which is one line of the history, and takes the sale back', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await noteField(page).fill(NOTE);
    await inPanel(page, 'Sell').click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold Undo');
    assert.deepEqual(await storedOrders(service), [['completed', NOTE]]);
    await eventuallyEqual(
      async () => (await historyTexts(page)).map((line) => line.split(/[ :]/)[0]),
      ['Sold', 'Added'],
    );
    await page.mouse.move(0, 0);
    await page.getByText('Returns the order; Rex is available again.').waitFor();
    await inPanel(page, 'Take back').click();
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    assert.deepEqual(await storedOrders(service), [['returned', NOTE]]);
    assert.equal(await noteField(page).inputValue(), '');
  });

  it('makes available what is reserved or sold without an order, which is not sold as it is', async (t) => {
    const animals = ['pending', 'sold'].map((status) => ({ name: `A ${status} one`, categoryId: 1, status }));
    const { page, service } = (await openConsole(t, animals)) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'A sold one');
    await page.getByText('Sold without an order').waitFor();
    await inPanel(page, 'Make available').click();
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    await page.locator('.panel').getByText('Undo').click();
    await eventuallyEqual(() => panelState(page), 'Sold');
    await inPanel(page, 'Next animal').click();
    await page.getByText('Reserved without an order').waitFor();
    assert.equal(await button(page, /^Sell/).count(), 0, 'neither in the panel nor in the row');
    await inPanel(page, 'Make available').click();
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    await page.mouse.move(0, 0);
    await inPanel(page, 'Sell').click();
    await eventuallyEqual(() => panelState(page), 'Sold Undo');
    assert.deepEqual(await storedOrders(service), [['completed', undefined]]);
  });

  it('reserves once however long the key is held down', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await inPanel(page, 'Reserve').focus();
    await page.keyboard.down('Enter');
    await eventuallyEqual(() => panelState(page), 'Reserved Undo');
    // The key repeats as long as it is down: what has come to the place of the button does not get it.
    await inPanel(page, 'Cancel reservation').waitFor();
    await eventuallyEqual(() => page.evaluate('document.activeElement.classList[0]'), 'panel');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(await panelState(page), 'Reserved Undo');
    assert.deepEqual(await storedOrders(service), [['placed', undefined]]);
  });
});
