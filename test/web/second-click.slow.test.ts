import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAndNext,
  animalNames,
  button,
  fillForm,
  names,
  openConsole,
  orderCount,
  positions,
  reserveButton,
  row,
  state,
} from './support/console.ts';
import { inPanel, openPanel, panelState, storedAnimals, storedOrders } from './support/panel.ts';

/** Clicks, waits for what that leads to, and clicks again in the same place, as the second half of a double click. */
async function doubleClick(page: Page, [x, y]: Point, between: () => Promise<unknown>): Promise<void> {
  await page.mouse.click(x, y);
  await between();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

type Point = readonly [x: number, y: number];

async function middle(of: Locator): Promise<Point> {
  const box = await of.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const panel = (page: Page) => page.locator('.panel');
const storedNames = async (service: Service) => (await storedAnimals(service)).map(({ name }) => name);

/** Until the page has done whatever the last click has led to. */
const settled = (page: Page) =>
  page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))');

describe('A second click', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('in a row does nothing, at once or later, and the row stays where it is', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna', 'Milo'], { path: '/#/animals?status=available' });
    if (!opened) return;
    const { page, service } = opened;
    const place = await middle(reserveButton(page, 'Luna'));
    const before = await positions(page);
    await doubleClick(page, place, () => Promise.resolve());
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved Undo');
    await page.mouse.click(...place);
    await settled(page);
    assert.deepEqual(await names(page), ['Milo', 'Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    assert.equal(await orderCount(service), 1);
    assert.equal(await page.getByRole('dialog').count(), 0, 'and no link was followed');
    assert.equal(await row(page, 'Luna').locator('.row-action button').count(), 0);
    await page.mouse.move(0, 0);
    await row(page, 'Luna').getByText('Sell').waitFor();
  });

  it('on Undo in a row undoes once', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await reserveButton(page, 'Rex').click();
    await button(page, /^Undo the reservation of .*Rex/).dblclick();
    await eventuallyEqual(() => state(page, 'Rex'), 'Available');
    assert.match((await service.call('GET', '/v1/store/orders')).text, /"status":"cancelled"/);
    assert.equal(await orderCount(service), 1);
  });

  it('in the panel does nothing until the pointer was elsewhere', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    const [x, y] = await middle(inPanel(page, 'Reserve'));
    await page.mouse.click(x, y);
    await eventuallyEqual(() => panelState(page), 'Reserved Undo');
    // Not the second half of a double click, but on what has come to the place of the button.
    await page.mouse.move(x + 20, y);
    await page.mouse.click(x + 20, y);
    assert.equal(await panelState(page), 'Reserved Undo');
    await page.mouse.move(0, 0);
    await page.mouse.click(x, y);
    await eventuallyEqual(() => panelState(page), 'Available Undo');
    assert.deepEqual(await storedOrders(service), [['cancelled', undefined]]);
  });

  it('on a row does not press the button of the panel that has opened over it', async (t) => {
    const { page, service } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page || !service) return;
    await row(page, 'Animal 30').getByRole('link').click();
    const place = await middle(inPanel(page, 'Sell'));
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await doubleClick(page, place, () => inPanel(page, 'Sell').waitFor());
    await settled(page);
    assert.equal(await orderCount(service), 0);
    // A click that is one of its own counts.
    await page.mouse.move(0, 0);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await row(page, 'Animal 30').getByRole('link').click();
    await inPanel(page, 'Sell').press('Enter');
    await eventuallyEqual(() => orderCount(service), 1);
  });

  it('that closes a panel presses nothing in the list below it', async (t) => {
    const { page, service } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Rex');
    const place = await middle(button(page, 'Add and close'));
    await doubleClick(page, place, () => panel(page).waitFor({ state: 'detached' }));
    await settled(page);
    assert.equal(await orderCount(service), 0);
    assert.equal(await panel(page).count(), 0);
  });

  it('on Discard does not remove the animal', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    const place = await middle(inPanel(page, 'Discard'));
    await doubleClick(page, place, () => inPanel(page, 'Remove').waitFor());
    await settled(page);
    assert.deepEqual(await storedNames(service), ['Rex']);
  });

  it('on Add and next adds one animal', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Rex');
    await doubleClick(page, await middle(addAndNext(page)), () => row(page, 'Rex').waitFor());
    await settled(page);
    assert.deepEqual(await storedNames(service), ['Rex']);
    assert.equal(await page.getByText('Enter a name.').count(), 0);
  });

  it('does not answer the question that the first half has led to', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis', categoryId: 3 } });
    const changed = page.getByText(/Someone else has changed this animal meanwhile. It is now Otis, in .*3/);
    await doubleClick(page, await middle(inPanel(page, 'Save')), () => changed.waitFor());
    await settled(page);
    assert.deepEqual(await storedNames(service), ['Otis'], 'nothing was overwritten');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Max');
    await inPanel(page, 'Save').press('Enter');
    await eventuallyEqual(() => storedNames(service), ['Max']);
  });

  it('on Remove does not answer why', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await doubleClick(page, await middle(inPanel(page, 'Remove')), () => inPanel(page, 'Keep').waitFor());
    await settled(page);
    assert.deepEqual(await storedNames(service), ['Rex']);
    await inPanel(page, 'Keep').waitFor();
  });

  it('steps on to the next animal: the same button counts as often as it is pressed', async (t) => {
    const { page } = (await openConsole(t, animalNames(5))) ?? {};
    if (!page) return;
    await row(page, 'Animal 5').getByRole('link').click();
    const title = panel(page).getByRole('heading', { level: 2 });
    await title.getByText('Animal 5').waitFor();
    await doubleClick(page, await middle(button(page, 'Next animal')), () =>
      title.getByText('Animal 4').waitFor(),
    );
    await title.getByText('Animal 3').waitFor();
  });
});
