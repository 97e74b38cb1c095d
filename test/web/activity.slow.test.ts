import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import { historyTexts, openPanel } from './support/panel.ts';

const MARKUP = '<img src=x onerror="document.title=1">';

/** Everything that can happen to an animal and its category, by a key whose name is markup. */
async function aDay(service: Service): Promise<void> {
  const key = await keyWith(service, ['*'], MARKUP);
  const send = (method: string, path: string, body?: object) =>
    service.call(method, `/v1/${path}`, { key, body });
  for (const name of ['Bunnies', MARKUP]) await send('PUT', 'categories/7', { name });
  await send('POST', 'pets', { name: 'Bisquit', categoryId: 7 });
  await send('PATCH', 'pets/1', { name: MARKUP, categoryId: 8 });
  await send('DELETE', 'categories/7');
  await send('POST', 'store/orders', { petId: 1, note: MARKUP });
  for (const status of ['completed', 'returned', 'completed', 'placed', 'cancelled', 'placed', 'cancelled'])
    await send('PATCH', 'store/orders/1', { status });
  for (const note of ['paid', null]) await send('PATCH', 'store/orders/1', { note });
  await send('DELETE', 'pets/1?reason=a%20mistake');
  await send('POST', 'pets/1/restore');
}
/** How it is told, where `X` is markup. */
const THE_DAY = `X was restored. X was removed: a mistake. The note of X was removed. The note of X is now “paid”.
The reservation of X was cancelled. X was reserved again: “X”. The reservation of X was cancelled.
The sale of X was undone; it is reserved again. The return of X was undone. X was taken back. X was sold: “X”.
X was reserved: “X”. Category “X” was removed. X was renamed from “Bisquit”, moved from category 7 to category 8.
Bisquit was added. Category “Bunnies” was renamed to “X”. Category “Bunnies” was added`;

/** Two tills with one name, which have done something, and a key that has not. */
async function threeKeys(service: Service): Promise<void> {
  for (const name of ['till', 'till']) {
    const key = await keyWith(service, ['*'], name);
    await service.call('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 7 } });
  }
  await keyWith(service, ['*'], 'office');
}
const KEYS = ['Everyone', 'office', 'till', 'till'];

const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
const texts = async (of: Locator) => (await of.allInnerTexts()).map(plain);
const lines = (page: Page) => texts(page.locator('.rows.activity .row > .state > span'));
const history = async (page: Page) =>
  (await historyTexts(page)).map((line) => plain(line).replace(/ by .*/, ''));
type Story = (service: Service) => Promise<void>;
const inActivity = (title: string, prepare: Story, test: (page: Page, service: Service) => Promise<void>) =>
  ui.inConsole(title, { path: '/#/activity', prepare }, ({ page, service }) => test(page, service));

describe('Activity', { concurrency: 2 }, () => {
  after(closeBrowser);

  const rex = { animals: ['Rex'] };
  ui.inConsole('a sale is one line, and so is its Undo; what is new waits', rex, async (opened) => {
    const { page, service } = opened;
    await ui.button(page, /^Sell .*Rex/).click();
    await ui.clickFor(ui.undo(page, 'the sale of .*Rex'), 'Undone: Rex is available again.');
    await ui.place(page, 'Activity').click();
    const shown = ['The sale of Rex was undone', 'Rex was sold', 'Rex was added'];
    await eventuallyEqual(() => lines(page), shown);
    await ui.addAnimals(service, ['Luna', 'Milo']);
    await ui.refresh(opened);
    assert.deepEqual(await lines(page), shown);
    await ui.button(page, '2 new changes – show').click();
    await eventuallyEqual(() => lines(page), ['Milo was added', 'Luna was added', ...shown]);
    await page.getByRole('link', { name: 'Rex' }).first().click();
    await eventuallyEqual(() => history(page), ['Sale undone', 'Sold', 'Added']);
  });

  inActivity('all is told, markup as text; another key sees orders only', aDay, async (page, service) => {
    const told = async () => (await lines(page)).join('. ').replaceAll(MARKUP, 'X');
    await eventuallyEqual(told, THE_DAY.replaceAll('\n', ' '));
    assert.deepEqual(await texts(page.locator('.rows.activity .cells')), Array(17).fill(MARKUP));
    await page.getByText(/^Today .* · 17 changes$/).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await ui.signOut(page);
    await page.goto(page.url().replace('activity', 'animals'));
    await signIn(page, await keyWith(service, ['pets:read', 'store:read']));
    await openPanel(page, MARKUP);
    await eventuallyEqual(() => history(page), ['Cancelled']);
  });

  inActivity('who, among all keys, and when are in the address', threeKeys, async (page) => {
    const [who, day] = [page.getByLabel('Who'), page.getByLabel('Day', { exact: true })];
    const options = async () =>
      (await who.locator('option').allInnerTexts()).map((name) => name.split(/\W/)[0]);
    await eventuallyEqual(options, KEYS);
    const [till] = await who.locator('option', { hasText: /^till \(key \w+\)/ }).allInnerTexts();
    await who.selectOption(`${till}`);
    await eventuallyEqual(() => lines(page), ['Rex was added']);
    assert.deepEqual(await options(), KEYS);
    const time = await page.locator('.row time').getAttribute('datetime');
    await day.fill('2025-03-01');
    await page.getByRole('heading', { name: /^No changes by .*till.* on Saturday 1 March 2025/ }).waitFor();
    await day.fill(await page.evaluate(`new Date('${time}').toLocaleDateString('sv')`));
    await eventuallyEqual(() => lines(page), ['Rex was added']);
    assert.match(page.url(), /#\/activity\?by=\w+&day=\d{4}-\d\d-\d\d$/);
    await day.fill('2025-03-01');
    await page.getByRole('link', { name: 'Show all changes' }).click();
    await eventuallyEqual(async () => (await lines(page)).length, 2);
  });
});
