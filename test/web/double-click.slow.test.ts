import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import {
  addAndNext,
  animalNames,
  button,
  fillForm,
  names,
  openConsole,
  orderCount,
  row,
} from './support/console.ts';

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
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });
const stored = async (service: Service, path = '/v1/pets') =>
  JSON.parse((await service.call('GET', path)).text) as { id: number; name: string; status: string }[];

/** Until the page has done whatever the last click has led to. */
const settled = (page: Page) =>
  page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))');

describe('The second half of a double click', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('on a row does not press the button of the panel that has opened over it', async (t) => {
    const { page, service } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page || !service) return;
    await row(page, 'Animal 30').getByRole('link').click();
    const place = await middle(inPanel(page, 'Sell now'));
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await doubleClick(page, place, () => inPanel(page, 'Sell now').waitFor());
    await settled(page);
    assert.equal(await orderCount(service), 0);
    // A click that is one of its own counts.
    await page.mouse.move(0, 0);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await row(page, 'Animal 30').getByRole('link').click();
    await inPanel(page, 'Sell now').press('Enter');
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

  it('on Discard changes does not remove the animal', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    const place = await middle(inPanel(page, 'Discard changes'));
    await doubleClick(page, place, () => inPanel(page, 'Remove').waitFor());
    await settled(page);
    assert.deepEqual(
      (await stored(service)).map(({ name }) => name),
      ['Rex'],
    );
  });

  it('does not answer the question that the first half has led to', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'rex');
    const question = page.getByText(/^There is an animal called/);
    await doubleClick(page, await middle(addAndNext(page)), () => question.waitFor());
    await settled(page);
    assert.equal((await stored(service)).length, 1);
    await question.waitFor();
    await addAndNext(page).click();
    await eventually(() => names(page), ['rex', 'Rex']);

    await page.keyboard.press('Escape');
    await row(page, 'Rex').getByRole('link').click();
    await inPanel(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Max');
    await service.call('PATCH', '/v1/pets/1', { body: { name: 'Otis' } });
    const changed = page.getByText(/^Someone else has changed this animal/);
    await doubleClick(page, await middle(inPanel(page, 'Save')), () => changed.waitFor());
    await settled(page);
    assert.deepEqual(
      (await stored(service)).map(({ name }) => name),
      ['rex', 'Otis'],
    );
    await inPanel(page, 'Save').press('Enter');
    await eventually(async () => (await stored(service)).map(({ name }) => name), ['rex', 'Max']);
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
