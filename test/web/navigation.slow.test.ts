import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  animalNames,
  button,
  closeOrder,
  nameField,
  names,
  openConsole,
  order,
  place,
  reserveButton,
  returnTo,
  row,
  signOut,
} from './support/console.ts';

const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');
const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText');

describe('Finding the way in the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a link leads to the top of its view, and the focus to its title', async (t) => {
    const { page } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 30);
    await page.evaluate('scrollTo(0, 400)');
    await place(page, 'Orders').click();
    await eventuallyEqual(() => focused(page), 'Orders');
    assert.equal(await scroll(page), 0);
  });

  it('the form to add an animal is over the animals only', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    const form = page.getByRole('dialog', { name: /^Add an/ });
    await page.getByRole('link', { name: /^Rex/ }).waitFor();
    await page.keyboard.press('n');
    await form.waitFor();
    await nameField(page).fill('Half-typed');
    await place(page, 'Keys').click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await form.waitFor({ state: 'detached' });
    await eventuallyEqual(() => focused(page), 'Keys');
    await page.keyboard.press('n');
    await form.waitFor();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    assert.equal(await nameField(page).inputValue(), 'Half-typed');
    await eventuallyEqual(() => nameField(page).evaluate((one) => one.matches(':focus')), true);
  });

  it('at midnight, the sales of today are those of the new day', async (t) => {
    const sold = async (service: Service) => {
      await order(service, 1);
      await closeOrder(service, 1, 'completed');
    };
    const opened = await openConsole(t, ['Rex'], { prepare: sold, clock: true, isolated: true });
    if (!opened) return;
    const { page, service } = opened;
    const { completedAt } = JSON.parse((await service.call('GET', '/v1/store/orders/1')).text);
    const evening = new Date(completedAt);
    await page.clock.setSystemTime(evening);
    await place(page, 'Orders').click();
    const sales = page.getByRole('link', { name: /^Rex/ });
    await sales.waitFor();
    const midnight = new Date(evening);
    midnight.setHours(24, 0, 1, 0);
    await page.clock.setSystemTime(midnight);
    await eventuallyEqual(async () => {
      await page.clock.runFor(5000);
      return sales.count();
    }, 0);
  });

  it('? shows what the keyboard does, and Escape leads back', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    const link = page.getByRole('link', { name: /^Rex/ });
    await link.focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Add an animal').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('dialog').count(), 0, 'no key works behind the dialog');
    await eventuallyEqual(() => link.evaluate((one) => one.matches(':focus')), true);
    await page.getByRole('searchbox').fill('?');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('Live, the key and the way out are in sight at every width', async (t) => {
    const { page, front } = (await openConsole(t)) ?? {};
    if (!page || !front) return;
    const me = button(page, /^Signed in as/);
    for (const width of [1600, 1280, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.getByText('Live', { exact: true }).waitFor();
      const box = await me.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}`);
      await me.click();
      await page.getByText(/everything, including the keys/).waitFor();
      await button(page, 'Sign out').waitFor();
      await page.keyboard.press('Escape');
      await button(page, 'Sign out').waitFor({ state: 'hidden' });
    }
    front.fault(/^GET/, { status: 503, retryAfter: 60 });
    await returnTo(page);
    await page.getByText('Not up to date').waitFor();
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const box = await me.boundingBox();
      assert.ok(box && box.width > 60 && box.x + box.width <= width, `not up to date, ${width}`);
    }
  });

  it('Escape closes the panel from the list beside it, however slow the page is', async (t) => {
    const { page } = (await openConsole(t, animalNames(3))) ?? {};
    if (!page) return;
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    for (const name of ['Animal 2', 'Animal 3', 'Animal 1']) {
      const link = page.getByRole('link', { name: new RegExp(`^${name}`) });
      await link.click();
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await eventuallyEqual(() => link.evaluate((one) => one.matches(':focus')), true);
      await link.click();
      await page.getByRole('dialog', { name }).waitFor();
      await place(page, 'Orders').focus();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('after Reserve under a filter the focus stays in the row', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'], { path: '/#/animals?status=available' })) ?? {};
    if (!page) return;
    await reserveButton(page, 'Luna').focus();
    await page.keyboard.press('Enter');
    await row(page, 'Luna').getByText('Undo').waitFor();
    assert.equal(
      await row(page, 'Luna').evaluate((one) => one.contains(one.ownerDocument.activeElement)),
      true,
    );
  });

  it('has one title of the first level before every other', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    await page.getByRole('link', { name: /Rex/ }).click();
    await page.getByRole('dialog').waitFor();
    const levels = () =>
      page.evaluate('[...document.querySelectorAll("h1, h2, h3")].map((one) => one.tagName)');
    await eventuallyEqual(levels, ['H1', 'H2', 'H3']);
  });

  it('what stands for a row that is loading is as high as the row', async (t) => {
    const { page, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !front) return;
    await eventuallyEqual(() => names(page), ['Rex']);
    const height = async () => (await page.locator('.row').first().boundingBox())?.height;
    const filled = await height();
    await signOut(page);
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await page.getByLabel('API key').fill('the-test-key-of-the-suite');
    await button(page, 'Sign in').click();
    await page.locator('.skeleton-row').first().waitFor();
    assert.equal(await height(), filled);
    front.fault();
    await eventuallyEqual(() => names(page), ['Rex']);
  });
});
