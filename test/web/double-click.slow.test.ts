import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAndNext,
  animalNames,
  button,
  fillForm,
  openConsole,
  orderCount,
  row,
} from './support/console.ts';
import { inPanel, storedAnimals } from './support/panel.ts';

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

describe('The second half of a double click', { concurrency: 2 }, () => {
  after(closeBrowser);

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
    await eventually(() => orderCount(service), 1);
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
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis' } });
    const changed = page.getByText(/^Someone else has changed this animal/);
    await doubleClick(page, await middle(inPanel(page, 'Save')), () => changed.waitFor());
    await settled(page);
    assert.deepEqual(await storedNames(service), ['Otis']);
    await inPanel(page, 'Save').press('Enter');
    await eventually(() => storedNames(service), ['Max']);
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
