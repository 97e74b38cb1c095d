import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { animalNames, button, names, openConsole, place, signOut, tab } from './support/console.ts';

const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');

describe('The address and the history of the browser', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('Back leads to as many rows as there were, at the same place', async (t) => {
    const { page } = (await openConsole(t, animalNames(130))) ?? {};
    if (!page) return;
    for (const count of [100, 130]) {
      await button(page, 'Show more').click();
      await eventuallyEqual(async () => (await names(page)).length, count);
    }
    await page.evaluate('scrollTo(0, 3000)');
    await tab(page, 'Available').click();
    await eventuallyEqual(async () => (await names(page)).length, 50);
    assert.equal(await scroll(page), 0);
    await page.goBack();
    await eventuallyEqual(async () => (await names(page)).length, 130);
    await eventuallyEqual(() => scroll(page), 3000);
    // The focus in the bar, which stays in sight, does not scroll the list either.
    for (const round of [1, 2]) {
      await place(page, 'Orders').press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await page.goBack();
      await eventuallyEqual(async () => (await names(page)).length, 130);
      await eventuallyEqual(() => scroll(page), 3000);
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
      await eventuallyEqual(address, shown);
    }
    await page.goBack();
    await eventuallyEqual(address, '#/animals?status=sold');
  });

  it('a panel opens over the list, and closing it leads back to its row', async (t) => {
    const { page } = (await openConsole(t, animalNames(40))) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 40);
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
    await eventuallyEqual(() => link.evaluate((one) => one.matches(':focus')), true);
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
    await eventuallyEqual(() => names(page), ['Rex']);
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
    await eventuallyEqual(async () => (await names(page)).length, 45);
    await page.evaluate('scrollTo(0, 600)');
    await place(page, 'Activity').click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.reload();
    await place(page, 'Categories').click();
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.goBack();
    await eventuallyEqual(async () => (await names(page)).length, 45);
    await eventuallyEqual(() => scroll(page), 600);
  });

  it('a letter typed while the address changes stays in the search', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Rio'], { clock: true, isolated: true })) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 2);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const search = page.getByRole('searchbox');
    await search.pressSequentially('r');
    await page.clock.runFor(250);
    await search.pressSequentially('i');
    await page.clock.runFor(1000);
    assert.equal(await search.inputValue(), 'ri');
    await eventuallyEqual(async () => {
      await page.clock.runFor(100);
      return names(page);
    }, ['Rio']);
    assert.match(page.url(), /name=ri$/);
  });
});
