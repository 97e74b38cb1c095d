import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, eventually } from '../support/browser.ts';
import type { Service } from '../support/service.ts';
import { button, closeOrder, names, openConsole, order, place, row, state, tab } from './support/console.ts';

const NOTE = 'for Ms Lee, Friday';
const orders = async (service: Service) =>
  JSON.parse((await service.call('GET', '/v1/store/orders')).text) as { status: string; note?: string }[];
const statuses = async (service: Service) => (await orders(service)).map(({ status }) => status);

describe('Selling', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('reserves with a note, and shows it in the row, the panel and the orders', async (t) => {
    const { page, service } = (await openConsole(t, ['Biscuit'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Biscuit').getByRole('link').click();
    await page.getByLabel('Note for the order, optional').fill(`  ${NOTE} `);
    await button(page, 'Reserve').last().click();
    await eventually(() => state(page, 'Biscuit'), 'Reserved Undo');
    assert.equal((await orders(service))[0]?.note, NOTE);
    await page.locator('.order-card').getByText(NOTE).waitFor();
    await page.locator('.history').getByText(NOTE).waitFor();
    await page.keyboard.press('Escape');
    await place(page, 'Orders').click();
    await eventually(() => page.locator('.order-note').allInnerTexts(), [NOTE]);
    await place(page, 'Animals').click();
    await eventually(() => state(page, 'Biscuit'), `Reserved ${NOTE}`);
  });

  it('sells in one step, and takes the sale back', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await button(page, 'Sell now').click();
    await eventually(() => state(page, 'Rex'), 'Sold Undo');
    assert.deepEqual(await statuses(service), ['completed']);
    await page.getByRole('dialog').getByText('Undo').click();
    await eventually(() => state(page, 'Rex'), 'Available Undo');
    assert.deepEqual(await statuses(service), ['returned']);
    await page.locator('.history').getByText('Returned').waitFor();
    await page.keyboard.press('Escape');
    await place(page, 'Orders').click();
    await tab(page, 'Returned').click();
    await eventually(() => names(page), ['Rex']);
  });

  it('takes an animal back that was sold on another day, or by another person', async (t) => {
    const prepare = async (service: Service) => {
      await order(service, 1);
      await closeOrder(service, 1, 'completed');
    };
    const { page, service } = (await openConsole(t, ['Rex'], { prepare })) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await button(page, 'Take back').click();
    await eventually(() => state(page, 'Rex'), 'Available Undo');
    assert.deepEqual(await statuses(service), ['returned']);
  });

  it('sells with a note', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await page.getByLabel('Note for the order, optional').fill(NOTE);
    await button(page, 'Sell now').click();
    await eventually(() => state(page, 'Rex'), 'Sold Undo');
    assert.deepEqual(
      (await orders(service)).map(({ status, note }) => [status, note]),
      [['completed', NOTE]],
    );
  });

  it('reserves once however long the key is held down', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await row(page, 'Rex').getByRole('link').click();
    await page.locator('.panel').getByRole('button', { name: 'Reserve' }).focus();
    await page.keyboard.down('Enter');
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
    // The key repeats as long as it is down: what has come to the place of the button does not get it.
    await button(page, 'Cancel reservation').waitFor();
    await eventually(() => page.evaluate('document.activeElement.className'), 'panel');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(await state(page, 'Rex'), 'Reserved Undo');
    assert.deepEqual(await statuses(service), ['placed']);
  });

  it('takes a completed reservation back to what it was, with its note', async (t) => {
    const prepare = (service: Service) =>
      service.call('POST', '/v1/store/orders', { body: { petId: 1, note: NOTE } });
    const { page, service } = (await openConsole(t, ['Rex'], { prepare })) ?? {};
    if (!page || !service) return;
    await button(page, /^Complete the order/).click();
    await eventually(() => state(page, 'Rex'), 'Sold Undo');
    await row(page, 'Rex').getByText('Undo').click();
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
    assert.deepEqual(
      (await orders(service)).map(({ status, note }) => [status, note]),
      [
        ['placed', NOTE],
        ['returned', NOTE],
      ],
    );
  });

  it('does not take a sale back after the animal was removed', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service || !front) return;
    await row(page, 'Rex').getByRole('link').click();
    await button(page, 'Sell now').click();
    await eventually(() => state(page, 'Rex'), 'Sold Undo');
    // The page must not learn of the removal, after which it shows neither the row nor the button.
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await service.call('DELETE', '/v1/pets/1');
    await page.getByRole('dialog').getByText('Undo').click();
    await eventually(() => state(page, 'Rex'), 'Not undone: the animal has changed since');
    assert.deepEqual(await statuses(service), ['completed']);
    front.fault();
  });
});
