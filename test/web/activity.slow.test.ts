import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Service, startService } from '../support/service/service.ts';
import { addAnimals, button, message, openConsole, place, refresh, undo } from './support/console.ts';
import { keyWith, MANAGER } from './support/keys.ts';
import { historyTexts, openPanel, panel } from './support/panel.ts';
import { plain } from './support/shop-calls.ts';

const MARKUP = '<img src=x onerror="document.title=1">';

/** Everything that can happen to an animal and its category, by a key whose name is markup. */
async function aDay(service: Service): Promise<void> {
  const key = await keyWith(service, MANAGER, MARKUP);
  const send = (method: string, path: string, body?: object) =>
    service.call(method, `/v1/${path}`, { key, body });
  await send('PUT', 'categories/7', { name: 'Bunnies' });
  await send('PUT', 'categories/7', { name: MARKUP });
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

const texts = async (of: Locator) => (await of.allInnerTexts()).map(plain);
const lines = (page: Page) => texts(page.locator('.rows.activity .row > .state > span'));
const history = async (page: Page) =>
  (await historyTexts(page)).map((line) => plain(line).replace(/ by .*/, ''));

describe('Activity', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('tells a direct sale in one line and its Undo in another, and invents no reservation', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    await button(page, /^Sell .*Rex/).click();
    await undo(page, 'the sale of .*Rex').click();
    await message(page, 'Undone: Rex is available again.');
    await place(page, 'Activity').click();
    await eventuallyEqual(() => lines(page), ['The sale of Rex was undone', 'Rex was sold', 'Rex was added']);
    await page.getByRole('link', { name: 'Rex' }).first().click();
    await panel(page, 'Rex').waitFor();
    await eventuallyEqual(() => history(page), ['Sale undone', 'Sold', 'Added']);
  });

  it('tells all in plain words and by whom, markup as text, and a category that was removed by its number', async (t) => {
    const { page } = (await openConsole(t, [], { path: '/#/activity', prepare: aDay })) ?? {};
    if (!page) return;
    const expected = [
      `${MARKUP} was restored`,
      `${MARKUP} was removed: a mistake`,
      `The note of ${MARKUP} was removed`,
      `The note of ${MARKUP} is now “paid”`,
      `The reservation of ${MARKUP} was cancelled`,
      `${MARKUP} was reserved again: “${MARKUP}”`,
      `The reservation of ${MARKUP} was cancelled`,
      `The sale of ${MARKUP} was undone; it is reserved again`,
      `The return of ${MARKUP} was undone`,
      `${MARKUP} was taken back`,
      `${MARKUP} was sold: “${MARKUP}”`,
      `${MARKUP} was reserved: “${MARKUP}”`,
      `Category “${MARKUP}” was removed`,
      `${MARKUP} was renamed from “Bisquit”, moved from category 7 to category 8`,
      'Bisquit was added',
      `Category “Bunnies” was renamed to “${MARKUP}”`,
      'Category “Bunnies” was added',
    ];
    await eventuallyEqual(() => lines(page), expected);
    assert.deepEqual(await texts(page.locator('.rows.activity .cells')), Array(17).fill(MARKUP));
    await page.getByText(/^Today .* · 17 changes$/).waitFor();
    assert.equal(await page.locator('img').count(), 0);
  });

  it('is filtered by key and day, which the address has; “Who” lists every key', async (t) => {
    const prepare = async (service: Service) => {
      const [first, second] = [
        await keyWith(service, MANAGER, 'till'),
        await keyWith(service, ['*'], 'till'),
      ];
      await keyWith(service, MANAGER, 'office');
      for (const [index, key] of [first, second].entries())
        await service.call('POST', '/v1/pets', { key, body: { name: `Rex ${index}`, categoryId: 7 } });
    };
    const { page } = (await openConsole(t, ['Luna'], { path: '/#/activity', prepare })) ?? {};
    if (!page) return;
    const [who, day] = [page.getByLabel('Who'), page.getByLabel('Day', { exact: true })];
    await eventuallyEqual(() => lines(page), ['Rex 1 was added', 'Rex 0 was added', 'Luna was added']);
    const keys = async () =>
      (await who.locator('option').allInnerTexts()).map((name) => name.replace(/^env-.*/, 'env'));
    await eventuallyEqual(async () => (await keys()).length, 5);
    const [, , , ...tills] = await keys();
    assert.match(tills.join(), /^till \(key \w+\),till \(key \w+\)$/);
    await who.selectOption('office');
    await page.getByRole('heading', { name: /^No changes by .*office/ }).waitFor();
    await who.selectOption(tills[0] ?? '');
    await eventuallyEqual(async () => (await lines(page)).length, 1);
    assert.deepEqual(await keys(), ['Everyone', 'env', 'office', ...tills]);
    const [shown] = await lines(page);
    const today = await page.locator('.row time').getAttribute('datetime');
    await day.fill('2025-03-01');
    await page.getByRole('heading', { name: /^No changes by .*till.* on Saturday 1 March 2025/ }).waitFor();
    await day.fill(await page.evaluate(`new Date('${today}').toLocaleDateString('sv')`));
    await eventuallyEqual(() => lines(page), [`${shown}`]);
    assert.match(page.url(), /#\/activity\?by=\w+&day=\d{4}-\d\d-\d\d$/);
    await page.reload();
    await signIn(page);
    await eventuallyEqual(() => lines(page), [`${shown}`]);
    await day.fill('2025-03-01');
    await page.getByRole('link', { name: 'Show all changes' }).click();
    await eventuallyEqual(async () => (await lines(page)).length, 3);
    assert.match(page.url(), /#\/activity$/);
  });

  it('keeps what is new waiting in the head of the page', async (t) => {
    const opened = await openConsole(t, ['Rex'], { path: '/#/activity' });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => lines(page), ['Rex was added']);
    await addAnimals(service, ['Luna', 'Milo']);
    await refresh(opened);
    assert.deepEqual(await lines(page), ['Rex was added']);
    await button(page, '2 new changes – show').click();
    await eventuallyEqual(() => lines(page), ['Milo was added', 'Luna was added', 'Rex was added']);
  });

  it('is not for a key that may not see it: that sees the orders of an animal', async (t) => {
    const service = await startService(t);
    await aDay(service);
    const page = await openPage(t, service.origin);
    if (!page) return;
    await signIn(page, await keyWith(service, ['pets:read', 'store:read']));
    assert.equal(await page.getByRole('link', { name: 'Activity' }).count(), 0);
    await openPanel(page, MARKUP);
    await eventuallyEqual(() => history(page), ['Cancelled']);
  });
});
