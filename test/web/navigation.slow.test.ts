import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import {
  animalNames,
  button,
  focused,
  link,
  names,
  openConsole,
  place,
  search,
  signOut,
  tab,
} from './support/console.ts';
import { inPanel, openPanel, panel } from './support/panel.ts';

const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');
const address = (page: Page) => new URL(page.url()).hash;
const closed = (page: Page) => page.locator('.panel').waitFor({ state: 'detached' });

describe('Finding the way in the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a link leads to the top of its view, and the focus to its title', async (t) => {
    const { page } = (await openConsole(t, animalNames(30))) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 30);
    await page.keyboard.press('Tab');
    await page.evaluate('scrollTo(0, 400)');
    await page.locator('.brand').focus();
    await page.keyboard.press('Shift+Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.locator('#view-title'));
    await tab(page, 'All').click();
    await eventuallyEqual(async () => [address(page), await scroll(page)], ['#/animals?status=all', 0]);
    await place(page, 'Keys').click();
    await eventuallyEqual(() => page.title(), 'Keys · Animal Store');
  });

  it('the form to add animals is over the animals only', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    await place(page, 'Categories').click();
    await eventuallyEqual(() => page.title(), 'Categories · Animal Store');
    await page.keyboard.press('n');
    await panel(page, 'Add animals').waitFor();
    assert.equal(address(page), '#/animals');
    await focused(page.getByLabel('Name', { exact: true }));
    await place(page, 'Keys').click();
    await closed(page);
  });

  it('Back leads to as many rows as there were, at the same place, also after a reload', async (t) => {
    const { page } = (await openConsole(t, animalNames(130), { isolated: true })) ?? {};
    if (!page) return;
    const isBack = async () => {
      await eventuallyEqual(async () => (await names(page)).length, 130);
      await eventuallyEqual(() => scroll(page), 2000);
    };
    await signOut(page);
    await page.getByRole('checkbox').check();
    await signIn(page);
    await button(page, 'Show more').click();
    await eventuallyEqual(async () => (await names(page)).length, 130);
    await page.evaluate('scrollTo(0, 2000)');
    await tab(page, 'All').click();
    await eventuallyEqual(async () => (await names(page)).length, 50);
    assert.equal(await scroll(page), 0);
    await page.goBack();
    await isBack();
    // The focus in the bar, which stays in sight, does not scroll the list either.
    await place(page, 'Activity').press('Enter');
    await eventuallyEqual(() => page.title(), 'Activity · Animal Store');
    await page.goBack();
    await isBack();
    await page.goForward();
    await eventuallyEqual(() => page.title(), 'Activity · Animal Store');
    await page.reload();
    await place(page, 'Categories').click();
    await eventuallyEqual(() => page.title(), 'Categories · Animal Store');
    await page.goBack();
    await page.goBack();
    await isBack();
    await page.reload();
    await isBack();
  });

  it('what makes no sense in an address is removed from it', async (t) => {
    const { page } = (await openConsole(t, ['Rex'], { path: '/#/animals?status=gone' })) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => address(page), '#/animals');
    for (const [asked, shown] of [
      ['#/animals?category=9999999999999999999&status=sold', '#/animals?status=sold'],
      ['#/nonsense', '#/animals'],
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(asked)}`);
      await eventuallyEqual(async () => address(page), shown);
    }
    await page.goBack();
    await eventuallyEqual(async () => address(page), '#/animals?status=sold');
  });

  it('a panel opens over the list, and closing it leads back to its row', async (t) => {
    const { page } = (await openConsole(t, animalNames(40))) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 40);
    await page.evaluate('scrollTo(0, 500)');
    await openPanel(page, 'Animal 20');
    assert.equal(address(page), '#/animals?animal=20');
    await page.goBack();
    await closed(page);
    assert.equal(await scroll(page), 500);
    for (const close of [() => page.keyboard.press('Escape'), () => inPanel(page, 'Close').click()]) {
      await link(page, 'Animal 20').click();
      await panel(page, 'Animal 20').waitFor();
      await close();
      await closed(page);
      await focused(link(page, 'Animal 20'));
      assert.equal(await scroll(page), 500);
      assert.doesNotMatch(address(page), /animal=/);
    }
  });

  it('Close leads to the list, however many animals were looked at', async (t) => {
    const { page } = (await openConsole(t, animalNames(12), { path: '/#/animals?status=all' })) ?? {};
    if (!page) return;
    for (const name of ['Animal 3', 'Animal 5', 'Animal 7']) await openPanel(page, name);
    await inPanel(page, 'Close').click();
    await closed(page);
    assert.equal(address(page), '#/animals?status=all');
    // The list is the first entry again: there is nothing of the animals to go back to.
    await page.goForward();
    await panel(page, 'Animal 3').waitFor();
  });

  it('Close keeps a search that was typed beside the panel, and a link to an animal leads to its list', async (t) => {
    const given = animalNames(60);
    const { page } = (await openConsole(t, given, { path: '/#/animals?animal=1' })) ?? {};
    if (!page) return;
    // Beyond the first page.
    await panel(page, 'Animal 1').getByRole('heading', { name: 'Animal 1', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    assert.equal(address(page), '#/animals');
    await openPanel(page, 'Animal 60');
    await search(page).fill('l 60');
    await eventuallyEqual(() => names(page), ['Animal 60']);
    await inPanel(page, 'Close').click();
    await closed(page);
    assert.equal(address(page), '#/animals?status=all&name=l+60');
    assert.deepEqual(await names(page), ['Animal 60']);
    await page.evaluate("location.hash = '#/animals?animal=999'");
    await panel(page, 'Animal 999').getByRole('heading', { name: 'No such animal' }).waitFor();
    await panel(page, 'Animal 999').getByRole('link', { name: 'See all animals' }).click();
    await closed(page);
  });

  it('a letter typed while the address changes stays in the search', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Rio'], { clock: true, isolated: true })) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 2);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await search(page).pressSequentially('r');
    await page.clock.runFor(100);
    await search(page).pressSequentially('i');
    await page.clock.runFor(1000);
    assert.equal(await search(page).inputValue(), 'ri');
    await eventually(async () => {
      await page.clock.runFor(100);
      return (await names(page)).join() === 'Rio';
    }, 'what was found');
    assert.equal(address(page), '#/animals?status=all&name=ri');
  });

  it('has one title of the first level before every other', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    await openPanel(page, 'Rex');
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
    await signIn(page);
    await page.locator('.skeleton .row').first().waitFor();
    assert.equal(await height(), filled);
    front.fault();
    await eventuallyEqual(() => names(page), ['Rex']);
  });
});
