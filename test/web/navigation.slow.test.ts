import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually } from '../support/browser.ts';
import {
  animalNames,
  button,
  names,
  openConsole,
  place,
  reserveButton,
  row,
  tab,
} from './support/console.ts';

const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');
const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText');

describe('Finding the way in the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a link leads to the top of its view, and the focus to its title', async (t) => {
    const { page } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page) return;
    await eventually(async () => (await names(page)).length, 30);
    await page.evaluate('scrollTo(0, 400)');
    await place(page, 'Orders').click();
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
    await eventually(() => focused(page), 'Orders');
    assert.equal(await scroll(page), 0);
  });

  it('Back leads to as many rows as there were, at the same place', async (t) => {
    const { page } = (await openConsole(t, animalNames(130))) ?? {};
    if (!page) return;
    for (const count of [100, 130]) {
      await button(page, 'Show more').click();
      await eventually(async () => (await names(page)).length, count);
    }
    await page.evaluate('scrollTo(0, 3000)');
    await tab(page, 'Available').click();
    await eventually(async () => (await names(page)).length, 50);
    assert.equal(await scroll(page), 0);
    await page.goBack();
    await eventually(async () => (await names(page)).length, 130);
    await eventually(() => scroll(page), 3000);
  });

  it('a panel opens over the list, and closing it leads back to its row', async (t) => {
    const { page } = (await openConsole(t, animalNames(40))) ?? {};
    if (!page) return;
    await eventually(async () => (await names(page)).length, 40);
    await page.evaluate('scrollTo(0, 500)');
    const link = page.getByRole('link', { name: /^Animal 20/ });
    await link.click();
    await page.getByRole('dialog', { name: 'Animal 20' }).waitFor();
    assert.match(page.url(), /animal=20$/);
    await button(page, 'Next animal').click();
    await page.getByRole('dialog', { name: 'Animal 19' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await scroll(page), 500);
    await link.click();
    await page.getByRole('dialog', { name: 'Animal 20' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => link.evaluate((one) => one.matches(':focus')), true);
    assert.equal(await scroll(page), 500);
    assert.doesNotMatch(page.url(), /animal=/);
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
      await eventually(() => link.evaluate((one) => one.matches(':focus')), true);
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
    await eventually(levels, ['H1', 'H2', 'H3']);
  });

  it('what stands for a row that is loading is as high as the row', async (t) => {
    const { page, front } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !front) return;
    await eventually(() => names(page), ['Rex']);
    const height = async () => (await page.locator('.row').first().boundingBox())?.height;
    const filled = await height();
    await button(page, 'Sign out').click();
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await page.getByLabel('API key').fill('test-key-of-the-suite');
    await button(page, 'Sign in').click();
    await page.locator('.skeleton-row').first().waitFor();
    assert.equal(await height(), filled);
    front.fault();
    await eventually(() => names(page), ['Rex']);
  });
});
