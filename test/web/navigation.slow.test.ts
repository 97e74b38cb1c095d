import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, signIn } from '../support/browser.ts';
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
    // The focus in the bar, which stays in sight, does not scroll the list either.
    for (const round of [1, 2]) {
      await place(page, 'Orders').press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await page.goBack();
      await eventually(async () => (await names(page)).length, 130);
      await eventually(() => scroll(page), 3000);
      assert.equal(await scroll(page), 3000, `round ${round}`);
    }
  });

  it('what makes no sense in an address is removed from it', async (t) => {
    const { page } = (await openConsole(t, ['Rex'], { path: '/#/orders?sold=2026-13-45' })) ?? {};
    if (!page) return;
    const address = () => new URL(page.url()).hash;
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    assert.equal(address(), '#/orders');
    for (const [asked, shown] of [
      ['#/animals?category=9999999999999999999&status=sold', '#/animals?status=sold'],
      ['#/nonsense', '#/animals'],
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(asked)}`);
      await eventually(address, shown);
    }
    await page.goBack();
    await eventually(address, '#/animals?status=sold');
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

  it('Close leads to the list, however many animals were looked at', async (t) => {
    const { page } = (await openConsole(t, animalNames(12), { path: '/#/animals?name=Animal' })) ?? {};
    if (!page) return;
    for (const name of ['Animal 3', 'Animal 5', 'Animal 7']) {
      await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('dialog', { name }).waitFor();
    }
    await button(page, 'Next animal').click();
    await page.getByRole('dialog', { name: 'Animal 8' }).waitFor();
    await button(page, 'Close').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /#\/animals\?name=Animal$/);
    // The list is the first entry again: there is nothing of the animals to go back to.
    await page.goForward();
    await page.getByRole('dialog', { name: 'Animal 3' }).waitFor();
  });

  it('Close keeps a search that was typed beside the panel, and a link to an animal leads to its list', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'], { path: '/#/animals?animal=1' })) ?? {};
    if (!page) return;
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /#\/animals$/);
    await page.getByRole('link', { name: /^Rex/ }).click();
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    await page.getByRole('searchbox').fill('Rex');
    await eventually(() => names(page), ['Rex']);
    await button(page, 'Close').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /#\/animals\?name=Rex$/);
    assert.deepEqual(await names(page), ['Rex']);
  });

  it('an entry of the history keeps its own place over a reload', async (t) => {
    const { page } = (await openConsole(t, animalNames(45), { isolated: true })) ?? {};
    if (!page) return;
    await signOut(page);
    await page.getByRole('checkbox').check();
    await signIn(page);
    await eventually(async () => (await names(page)).length, 45);
    await page.evaluate('scrollTo(0, 600)');
    await place(page, 'Activity').click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.reload();
    await place(page, 'Categories').click();
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.goBack();
    await eventually(async () => (await names(page)).length, 45);
    await eventually(() => scroll(page), 600);
  });

  it('a letter typed while the address changes stays in the search', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Rio'], { clock: true, isolated: true })) ?? {};
    if (!page) return;
    await eventually(async () => (await names(page)).length, 2);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const search = page.getByRole('searchbox');
    await search.pressSequentially('r');
    await page.clock.runFor(250);
    await search.pressSequentially('i');
    await page.clock.runFor(1000);
    assert.equal(await search.inputValue(), 'ri');
    await eventually(async () => {
      await page.clock.runFor(100);
      return names(page);
    }, ['Rio']);
    assert.match(page.url(), /name=ri$/);
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
    await eventually(() => focused(page), 'Keys');
    await page.keyboard.press('n');
    await form.waitFor();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    assert.equal(await nameField(page).inputValue(), 'Half-typed');
    await eventually(() => nameField(page).evaluate((one) => one.matches(':focus')), true);
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
    await eventually(async () => {
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
    await eventually(() => link.evaluate((one) => one.matches(':focus')), true);
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
    await signOut(page);
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await page.getByLabel('API key').fill('test-key-of-the-suite');
    await button(page, 'Sign in').click();
    await page.locator('.skeleton-row').first().waitFor();
    assert.equal(await height(), filled);
    front.fault();
    await eventually(() => names(page), ['Rex']);
  });
});
