import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import {
  button,
  counts,
  focused,
  message,
  messages,
  names,
  openConsole,
  order,
  orderCount,
  positions,
  row,
  state,
  undo,
} from './support/console.ts';
import {
  historyTexts,
  inPanel,
  noteField,
  openPanel,
  panel,
  panelState,
  storedOrders,
} from './support/panel.ts';

const ORDERS = /^(POST|PATCH) \/v1\/store\/orders/;

describe('Selling', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('reserves, cancels, sells and takes back in the row, which stays where it is', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page || !service) return;
    await eventuallyEqual(() => names(page), ['Milo', 'Luna', 'Rex']);
    const before = await positions(page);
    for (const [press, text, now] of [
      [/^Reserve .*Luna/, 'Luna is reserved.', 'Reserved'],
      [/^Cancel the reservation of .*Luna/, 'Luna is available again.', 'Available'],
      [/^Reserve .*Luna/, 'Luna is reserved.', 'Reserved'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
      [/^Take back .*Luna/, 'Luna was taken back.', 'Available'],
      [/^Sell .*Luna/, 'Luna is sold.', 'Sold'],
    ] as const) {
      await row(page, 'Luna').hover();
      await button(page, press).click();
      await message(page, text);
      await eventuallyEqual(() => state(page, 'Luna'), now);
      assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex']);
      assert.deepEqual(await positions(page), before);
    }
    await eventuallyEqual(() => counts(page), ['2', '0', '1', '3']);
    await undo(page, 'the sale of .*Luna').last().click();
    await message(page, 'Undone: Luna is available again.');
    assert.equal(await state(page, 'Luna'), 'Available');
    await eventuallyEqual(() => counts(page), ['3', '0', '0', '3']);
    assert.deepEqual(
      (await storedOrders(service)).map(([status]) => status),
      ['cancelled', 'returned', 'cancelled'],
    );
  });

  it('says what is being done, and offers nothing else meanwhile', async (t) => {
    const { page, front } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page || !front) return;
    await openPanel(page, 'Rex');
    front.fault(ORDERS, { hold: true });
    await inPanel(page, 'Sell').click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Selling…');
    assert.equal(await panelState(page), 'Selling…');
    assert.equal(await row(page, 'Rex').getByRole('button').count(), 0);
    assert.equal(await row(page, 'Luna').getByRole('button').count(), 2);
    await inPanel(page, 'Reserve').click({ force: true });
    assert.equal(front.requests.filter((line) => ORDERS.test(line)).length, 1);
    front.fault();
    await message(page, 'Rex is sold.');
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold');
    assert.equal(await panelState(page), 'Sold');
  });

  it('says why it was refused, when another till was faster', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    front.fault(ORDERS, { hold: true });
    await button(page, /^Sell .*Rex/).click();
    await eventuallyEqual(() => state(page, 'Rex'), 'Selling…');
    await service.call('POST', '/v1/store/orders', { body: { petId: 1, status: 'completed' } });
    front.fault();
    await message(page, 'Not sold: Rex is sold already.');
    assert.equal(await page.locator('.message .link').count(), 0, 'nothing to undo');
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold');
    assert.equal(await orderCount(service), 1);
  });

  it('without an answer says so, and Try again sells once', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    const passing = async (text: string) =>
      eventually(async () => {
        await page.clock.runFor(1000);
        return (await messages(page)).includes(text);
      }, text);
    await button(page, /^Sell .*Rex/).waitFor();
    front.fault(ORDERS, { loseAnswer: true });
    await button(page, /^Sell .*Rex/).click();
    await passing('No answer from the service. The sale of Rex is being repeated.');
    await passing('No answer from the service. The sale of Rex may or may not be done.');
    front.fault();
    await button(page, /^Try again: the sale of .*Rex/).click();
    await message(page, 'Rex is sold.');
    assert.equal((await messages(page)).length, 1);
    assert.equal(await orderCount(service), 1);
    await undo(page, 'the sale of .*Rex').click();
    await message(page, 'Undone: Rex is available again.');
  });

  it('tells of the last three, each with an Undo of its own, whatever is opened meanwhile', async (t) => {
    const { page } = (await openConsole(t, ['Ada', 'Bo', 'Cleo', 'Dot'])) ?? {};
    if (!page) return;
    for (const name of ['Ada', 'Bo', 'Cleo', 'Dot']) {
      await button(page, new RegExp(`^Sell .*${name}`)).click();
      await message(page, `${name} is sold.`);
    }
    const log = page.getByRole('log', { name: 'Messages' });
    assert.equal(await log.getAttribute('aria-live'), 'polite');
    assert.deepEqual(await messages(page), ['Bo is sold.', 'Cleo is sold.', 'Dot is sold.']);
    await openPanel(page, 'Ada');
    await undo(page, 'the sale of .*Cleo').click();
    await message(page, 'Undone: Cleo is available again.');
    assert.equal(await undo(page, '').count(), 2, 'what is undone offers no Undo');
    assert.equal(await state(page, 'Cleo'), 'Available');
    await button(page, 'Close the message').first().click();
    await eventuallyEqual(() => messages(page), ['Undone: Cleo is available again.', 'Dot is sold.']);
  });

  it('reserves in the panel, keeps a note with Enter and drops it with Escape, sells and takes back', async (t) => {
    const { page, service } = (await openConsole(t, ['Biscuit'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Biscuit');
    await inPanel(page, 'Reserve').click();
    await message(page, 'Biscuit is reserved.');
    assert.equal(await inPanel(page, 'Remove').count(), 0, 'a reserved animal cannot be removed');
    await inPanel(page, 'Add a note').click();
    await focused(noteField(page));
    await page.keyboard.type('  for Ms Lee, Friday ');
    await page.keyboard.press('Enter');
    await message(page, 'The note of Biscuit is “for Ms Lee, Friday”.');
    await row(page, 'Biscuit').getByText('for Ms Lee, Friday').waitFor();
    await inPanel(page, 'for Ms Lee, Friday').click();
    await page.keyboard.type('for nobody');
    await page.keyboard.press('Escape');
    await inPanel(page, 'for Ms Lee, Friday').click();
    await noteField(page).fill('for Tomasz');
    await inPanel(page, 'Save').click();
    await inPanel(page, 'for Tomasz').waitFor();
    await undo(page, 'the note of .*Biscuit').last().click();
    await inPanel(page, 'for Ms Lee, Friday').waitFor();
    await inPanel(page, 'Sell').click();
    await message(page, 'Biscuit is sold.');
    await panel(page, 'Biscuit')
      .getByText(/^Order 1, sold today at .* by .*, reserved today at /)
      .waitFor();
    await inPanel(page, 'Take back').click();
    await eventuallyEqual(() => panelState(page), 'Available');
    assert.deepEqual(await storedOrders(service), [['returned', 'for Ms Lee, Friday']]);
    await eventuallyEqual(
      async () => (await historyTexts(page)).map((line) => line.split(/[ :]/)[0]),
      ['Taken', 'Sold', 'Note', 'Note', 'Note', 'Reserved', 'Added'],
    );
  });

  it('makes available what no order explains, and does not sell it as it is', async (t) => {
    const animals = ['pending', 'sold'].map((status) => ({ name: `A ${status} one`, categoryId: 1, status }));
    const { page } = (await openConsole(t, animals, { path: '/#/animals?status=all' })) ?? {};
    if (!page) return;
    await row(page, 'A pending one').getByText('without an order').waitFor();
    await openPanel(page, 'A sold one');
    assert.equal(await panelState(page), 'Sold without an order');
    assert.equal(await button(page, /^(Sell|Take back)/).count(), 0, 'neither in the panel nor in a row');
    await inPanel(page, 'Make available').click();
    await message(page, 'A sold one is available now.');
    await undo(page, 'making .*A sold one').click();
    await eventuallyEqual(() => panelState(page), 'Sold without an order');
    await page.keyboard.press('Escape');
    await button(page, /^Make available: .*A pending one/).click();
    await eventuallyEqual(() => state(page, 'A pending one'), 'Available');
    await button(page, /^Sell .*A pending one/).click();
    await message(page, 'A pending one is sold.');
  });

  it('reserves once however long the key is held down', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await inPanel(page, 'Reserve').focus();
    await page.keyboard.down('Enter');
    // The key repeats as long as it is down: what has come to the place of the button does not get it.
    await inPanel(page, 'Cancel reservation').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await focused(page.locator('.panel'));
    assert.equal(await panelState(page), 'Reserved');
    assert.deepEqual(await storedOrders(service), [['placed', undefined]]);
  });

  it('shows what another till has done, in the row and in the panel', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await order(service, 1);
    await eventuallyEqual(() => panelState(page), 'Reserved');
    assert.equal(await state(page, 'Rex'), 'Reserved');
    await inPanel(page, 'Cancel reservation').waitFor();
    assert.deepEqual(await messages(page), []);
  });
});
