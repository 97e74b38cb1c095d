import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Service, startService } from '../support/service/service.ts';
import { addAnimals, button, closeOrder, openConsole, refresh, row } from './support/console.ts';

const KEY_NAME = /^env-/;

/** A day: named, added, renamed, moved, reserved, cancelled, sold, returned, removed and restored; all of it undone; and notes. */
async function aDay(service: Service): Promise<void> {
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Bunnies' } });
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Rabbits' } });
  await addAnimals(service, ['Bisquit']);
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Biscuit', categoryId: 8 } });
  await service.call('POST', '/v1/store/orders', { body: { petId: 1, note: '<b>Ms Lee</b>' } });
  await closeOrder(service, 1, 'cancelled');
  await service.call('POST', '/v1/store/orders', { body: { petId: 1, status: 'completed' } });
  for (const status of [
    'cancelled',
    'placed',
    'completed',
    'placed',
    'completed',
    'returned',
    'completed',
    'returned',
  ])
    await closeOrder(service, 2, status);
  for (const note of ['paid', 'paid by card', null])
    await service.call('PATCH', '/v1/store/orders/2', { body: { note } });
  await service.call('DELETE', '/v1/pets/1?reason=a%20mistake');
  await service.call('PATCH', '/v1/store/orders/2', { body: { note: 'asks again' } });
  await service.call('POST', '/v1/pets/1/restore');
}

/** What is told of the second order. */
const SALES = [
  'Biscuit was taken back; the order is returned',
  'The return of Biscuit was undone',
  'Biscuit was taken back; the order is returned',
  'Biscuit was sold',
  'The sale of Biscuit was undone; it is reserved again',
  'Biscuit was sold',
  'Biscuit was reserved again',
  'The sale of Biscuit was undone',
  'Biscuit was sold',
];

/** Without the marks that isolate names of another direction. */
const plain = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/[\u2068\u2069]/g, '').trim());
const sentences = async (page: Page) => plain(await page.locator('.event-text').allInnerTexts());

describe('What has happened', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('is told in plain words, the latest first, with the name of the key', async (t) => {
    const opened = await openConsole(t, [], { path: '/#/activity', prepare: aDay });
    if (!opened) return;
    const { page, front } = opened;
    await eventuallyEqual(
      () => sentences(page),
      [
        'Biscuit was restored',
        'The note of order 2 is now “asks again”',
        'Biscuit was removed: a mistake',
        'The note of Biscuit was removed',
        'The note of Biscuit is now “paid by card”',
        'The note of Biscuit is now “paid”',
        ...SALES,
        'The reservation of Biscuit was cancelled',
        'Biscuit was reserved: “<b>Ms Lee</b>”',
        'Biscuit was renamed from “Bisquit”, moved from Rabbits to category 8',
        'Bisquit was added',
        'Category “Bunnies” was renamed to “Rabbits”',
        'Category “Bunnies” was added',
      ],
    );
    await page.getByText(/· 21 changes$/).waitFor();
    const [by = ''] = plain(await page.locator('.event .key bdi').allInnerTexts());
    assert.match(by, KEY_NAME);
    // No list on the page has the animal: its panel loads it, and does not wait for the next refresh.
    front.fault(/^GET \/v1\/store\/inventory/, { hold: true });
    await page.getByRole('link', { name: 'Biscuit' }).first().click();
    await page.getByRole('dialog', { name: 'Biscuit' }).waitFor();
    front.fault();
  });

  it('names the key by its id as well where two keys have the same name', async (t) => {
    const prepare = async ({ store }: Service) => {
      for (const [index, keyName] of ['till', 'till', 'office'].entries()) {
        const pet = { name: `Animal ${index}`, categoryId: 7n, status: 'available' } as const;
        await store.createPet(pet, { by: { keyId: `${index + 1}`, keyName } });
      }
    };
    const { page } = (await openConsole(t, [], { path: '/#/activity', prepare })) ?? {};
    if (!page) return;
    await eventuallyEqual(
      async () => plain(await page.locator('.event .key').allInnerTexts()),
      ['by office', 'by till (key 2)', 'by till (key 1)'],
    );
    assert.equal(await page.locator('.event .key bdi').first().getAttribute('title'), 'Key 3');
  });

  it('is filtered by who, what and when, and each filter is part of the address', async (t) => {
    const prepare = async (service: Service) => {
      await aDay(service);
      const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
      await service.store.createPet(pet, { by: { keyId: '77', keyName: 'till 3' } });
    };
    const { page } = (await openConsole(t, [], { path: '/#/activity', prepare })) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await sentences(page)).length, 22);
    const [who, what, when] = ['Who', 'What', 'When'].map((label) => page.getByLabel(label, { exact: true }));
    assert.ok(who && what && when);
    await who.selectOption('till 3');
    await eventuallyEqual(() => sentences(page), ['Rex was added']);
    await what.selectOption('Sold and taken back');
    await page.getByRole('heading', { name: 'No such change' }).waitFor();
    // The other keys are still among those to choose from.
    const other = (await who.locator('option').allInnerTexts()).find((name) => KEY_NAME.test(name)) ?? '';
    await who.selectOption(other);
    const sales = SALES.filter((sentence) => sentence !== 'Biscuit was reserved again');
    await eventuallyEqual(() => sentences(page), sales);
    await when.selectOption('Yesterday');
    await page.getByRole('heading', { name: 'No such change' }).waitFor();
    await when.selectOption('Today');
    await eventuallyEqual(async () => (await sentences(page)).length, sales.length);
    await page.reload();
    await signIn(page);
    await eventuallyEqual(async () => (await sentences(page)).length, sales.length);
    await when.selectOption('A date…');
    await page.getByLabel('Date', { exact: true }).fill('2025-03-01');
    await page.getByRole('heading', { name: 'No such change' }).waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();
    await eventuallyEqual(async () => (await sentences(page)).length, 22);
  });

  it('waits in the head of the page while a person reads, in pages', async (t) => {
    const prepare = (service: Service) =>
      addAnimals(
        service,
        Array.from({ length: 70 }, (_, index) => `Animal ${index}`),
      );
    const opened = await openConsole(t, [], { path: '/#/activity', prepare });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(async () => (await sentences(page)).length, 50);
    await button(page, 'Show more').click();
    await eventuallyEqual(async () => (await sentences(page)).length, 70);
    await addAnimals(service, ['Rex', 'Luna']);
    await refresh(opened);
    await button(page, '2 new changes – show').click();
    await eventuallyEqual(
      async () => (await sentences(page)).slice(0, 3),
      ['Luna was added', 'Rex was added', 'Animal 69 was added'],
    );
  });

  it('to one animal is in its panel', async (t) => {
    const { page } = (await openConsole(t, [], { prepare: aDay })) ?? {};
    if (!page) return;
    await row(page, 'Biscuit').getByRole('link').click();
    await eventuallyEqual(
      async () =>
        plain(await page.locator('.history li > span').allInnerTexts()).map((line) =>
          line.replace(/ by env-\S+$/, ''),
        ),
      [
        ...['Restored', 'Note added: “asks again”', 'Removed: a mistake', 'Note removed: “paid by card”'],
        ...['Note changed to “paid by card”', 'Note added: “paid”'],
        ...['Returned', 'Return undone', 'Returned', 'Sold', 'Sale undone, reserved again', 'Sold'],
        ...['Reserved again', 'Sale undone', 'Sold', 'Reservation cancelled'],
        ...['Reserved: “<b>Ms Lee</b>”', 'Renamed from “Bisquit”, moved from Rabbits to category 8', 'Added'],
      ],
    );
  });

  it('is not shown to a key that does not open it, which sees the orders of an animal', async (t) => {
    const service = await startService(t);
    await aDay(service);
    const body = { name: 'till', scopes: ['pets:read', 'store:write'] };
    const { key } = JSON.parse((await service.call('POST', '/v1/keys', { body })).text) as { key: string };
    await eventuallyEqual(async () => (await service.call('GET', '/v1/pets', { key })).status, 200);
    const page = await openPage(t, service.origin);
    if (!page) return;
    await signIn(page, key);
    assert.equal(await page.getByRole('link', { name: 'Activity' }).count(), 0);
    await row(page, 'Biscuit').getByRole('link').click();
    await eventuallyEqual(
      async () => plain(await page.locator('.history li > span').allInnerTexts()),
      ['Returned: “asks again”', 'Cancelled: “<b>Ms Lee</b>”'],
    );
  });
});
