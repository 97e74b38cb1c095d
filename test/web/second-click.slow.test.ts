import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import {
  animalNames,
  button,
  fillForm,
  link,
  message,
  messages,
  openConsole,
  orderCount,
  positions,
  reserveButton,
  row,
  state,
  undo,
} from './support/console.ts';
import { inPanel, openPanel, panel, panelState, storedAnimals, storedOrders } from './support/panel.ts';

type Point = readonly [x: number, y: number];

/** Clicks, waits for what that leads to, and clicks again in the same place, as the second half of a double click. */
async function doubleClick(page: Page, [x, y]: Point, between: () => Promise<unknown>): Promise<void> {
  await page.mouse.click(x, y);
  await between();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  // Until the page has done whatever the last click has led to.
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}

async function middle(of: Locator): Promise<Point> {
  const box = await of.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

describe('A second click', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const [press, now] of [
    ['Reserve', 'Reserved'],
    ['Sell', 'Sold'],
  ] as const)
    it(`on ${press} presses nothing that has come to its place`, async (t) => {
      const { page, service, front } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
      if (!page || !service || !front) return;
      const place = await middle(button(page, new RegExp(`^${press} .*Luna`)));
      const before = await positions(page);
      // Where the button was is the row at first, which is a link, and then another button.
      front.fault(/^POST \/v1\/store\/orders/, { hold: true });
      await doubleClick(page, place, () => row(page, 'Luna').locator('.running').waitFor());
      front.fault();
      await eventuallyEqual(() => state(page, 'Luna'), now);
      await page.mouse.click(...place);
      assert.deepEqual(await positions(page), before);
      assert.equal(await page.getByRole('dialog').count(), 0, 'no link was followed');
      assert.equal((await messages(page)).length, 1);
      assert.equal(await orderCount(service), 1);
      // After the pointer was elsewhere, a click is a new one.
      await page.mouse.move(0, 0);
      await page.mouse.click(...place);
      await eventuallyEqual(async () => (await messages(page)).length, 2);
    });

  it('in the panel presses nothing that has come to the place of the button', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    const place = await middle(inPanel(page, 'Reserve'));
    await doubleClick(page, place, () => inPanel(page, 'Cancel reservation').waitFor());
    assert.equal(await panelState(page), 'Reserved');
    assert.deepEqual(await storedOrders(service), [['placed', undefined]]);
  });

  it('on a row does not press the button of the panel that has opened over it', async (t) => {
    const { page, service } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page || !service) return;
    await link(page, 'Animal 30').click();
    const place = await middle(inPanel(page, 'Sell'));
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await doubleClick(page, place, () => inPanel(page, 'Sell').waitFor());
    assert.equal(await orderCount(service), 0);
    await inPanel(page, 'Sell').press('Enter');
    await eventuallyEqual(() => orderCount(service), 1);
  });

  it('on Undo undoes once, and does not close the message', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await reserveButton(page, 'Rex').click();
    await message(page, 'Rex is reserved.');
    await undo(page, '').dblclick();
    await message(page, 'Undone: Rex is available again.');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(await storedOrders(service), [['cancelled', undefined]]);
  });

  it('on Add adds one animal, and finds nothing wrong with the next one', async (t) => {
    const { page, service } = (await openConsole(t, ['Luna'])) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Rex');
    await doubleClick(page, await middle(inPanel(page, 'Add')), () => message(page, 'Rex was added.'));
    assert.deepEqual(
      (await storedAnimals(service)).map(({ name }) => name),
      ['Rex', 'Luna'],
    );
    assert.equal(await page.getByText('Enter a name.').count(), 0);
    // The button that opens the form lies where the panel has its own.
    await page.keyboard.press('Escape');
    await panel(page, 'Add animals').waitFor({ state: 'detached' });
    const open = await middle(button(page, 'Add animals').first());
    await doubleClick(page, open, () => panel(page, 'Add animals').waitFor());
    await panel(page, 'Add animals').waitFor();
  });

  it('on what closes a panel presses nothing below it', async (t) => {
    const { page, service } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page || !service) return;
    await link(page, 'Animal 28').click();
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    await doubleClick(page, await middle(inPanel(page, 'Discard')), () => inPanel(page, 'Sell').waitFor());
    assert.deepEqual([await orderCount(service), await page.locator('.dialog').count()], [0, 0]);
    const close = inPanel(page, 'Close');
    await page.mouse.move(0, 0);
    await doubleClick(page, await middle(close), () => close.waitFor({ state: 'detached' }));
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('on Save does not overwrite what has just been read, nor on Remove answer why', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis' } });
    await doubleClick(page, await middle(inPanel(page, 'Save')), () =>
      page.getByText(/^Not saved: someone else has changed/).waitFor(),
    );
    assert.equal((await storedAnimals(service))[0]?.name, 'Otis');
    await inPanel(page, 'Discard').click();
    const keep = button(page, 'Keep');
    await doubleClick(page, await middle(inPanel(page, 'Remove')), () => keep.waitFor());
    await keep.waitFor();
    assert.equal((await storedAnimals(service)).length, 1);
  });
});
