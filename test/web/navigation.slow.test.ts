import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import * as ui from './support/console.ts';
import { closed, inPanel, openPanel, panel } from './support/panel.ts';

const { animalNames, focused, inConsole, names, place, search, tab } = ui;
const scroll = (page: Page) => page.evaluate('Math.round(scrollY)');
const address = (page: Page) => new URL(page.url()).hash;
const rowCount = async (page: Page) => (await names(page)).length;
const titled = (page: Page, view: string) => eventuallyEqual(() => page.title(), `${view} · Animal Store`);

describe('Finding the way in the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  const thirty = { animals: animalNames(30) };
  inConsole('a link leads to the top of its view, and the focus to its title', thirty, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 30);
    await page.evaluate('scrollTo(0, 400)');
    await page.locator('.brand').focus();
    await page.keyboard.press('Shift+Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.locator('#view-title'));
    await tab(page, 'All').click();
    await eventuallyEqual(async () => [address(page), await scroll(page)], ['#/animals?status=all', 0]);
    await place(page, 'Categories').click();
    await titled(page, 'Categories');
    // The form is over the animals only.
    await page.keyboard.press('n');
    await panel(page, 'Add animals').waitFor();
    assert.equal(address(page), '#/animals');
    await focused(ui.nameField(page));
    await place(page, 'Keys').click();
    await closed(page);
    await titled(page, 'Keys');
    // What makes no sense in an address is removed from it, and is no entry of its own.
    await page.evaluate("location.hash = '#/nonsense'");
    await eventuallyEqual(() => address(page), '#/animals');
    await page.goBack();
    await titled(page, 'Keys');
  });

  const many = { animals: animalNames(130), keep: true, isolated: true };
  inConsole('Back leads to as many rows as there were, at the same place', many, async ({ page }) => {
    const isBack = async () => {
      await eventuallyEqual(() => rowCount(page), 130);
      await eventuallyEqual(() => scroll(page), 2000);
    };
    await ui.button(page, 'Show more').click();
    await eventuallyEqual(() => rowCount(page), 130);
    await page.evaluate('scrollTo(0, 2000)');
    await tab(page, 'All').click();
    await eventuallyEqual(() => rowCount(page), 50);
    assert.equal(await scroll(page), 0);
    await page.goBack();
    await isBack();
    // The focus in the bars, which stay in sight, does not scroll the list either.
    for (const inBar of [tab(page, 'Sold'), place(page, 'Keys')]) await inBar.focus();
    assert.equal(await scroll(page), 2000);
    await place(page, 'Activity').press('Enter');
    await titled(page, 'Activity');
    await page.goBack();
    await isBack();
    await page.goForward();
    await titled(page, 'Activity');
    await page.reload();
    await place(page, 'Categories').click();
    await titled(page, 'Categories');
    await page.goBack();
    await page.goBack();
    await isBack();
    await page.reload();
    await isBack();
  });

  const all = { animals: animalNames(40), path: '/#/animals?status=all' };
  inConsole('a panel opens over the list, and closing it leads back to its row', all, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 40);
    await page.evaluate('scrollTo(0, 500)');
    await openPanel(page, 'Animal 20');
    assert.equal(address(page), '#/animals?status=all&animal=20');
    const headings = '[...document.querySelectorAll("h1, h2, h3")].map((one) => one.tagName)';
    await eventuallyEqual(() => page.evaluate(headings), ['H1', 'H2', 'H3']);
    await page.goBack();
    await closed(page);
    assert.equal(await scroll(page), 500);
    for (const close of [() => page.keyboard.press('Escape'), () => inPanel(page, 'Close').click()]) {
      await openPanel(page, 'Animal 20');
      await close();
      await closed(page);
      await focused(ui.link(page, 'Animal 20'));
      assert.equal(await scroll(page), 500);
      assert.equal(address(page), '#/animals?status=all');
    }
    // However many animals were looked at, the list is the entry before them.
    for (const name of ['Animal 22', 'Animal 20', 'Animal 18']) await openPanel(page, name);
    await inPanel(page, 'Close').click();
    await closed(page);
    assert.equal(address(page), '#/animals?status=all');
    await page.goForward();
    await panel(page, 'Animal 22').waitFor();
  });

  const first = { animals: animalNames(60), path: '/#/animals?animal=1' };
  inConsole('a link to an animal leads to its list; Close keeps a search', first, async ({ page }) => {
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

  const timed = { animals: ['Rex', 'Rio'], clock: true, isolated: true };
  inConsole('what is typed while the address changes stays in the search', timed, async ({ page }) => {
    await eventuallyEqual(() => rowCount(page), 2);
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await search(page).pressSequentially('r');
    await page.clock.runFor(100);
    await search(page).pressSequentially('i ');
    await page.clock.runFor(1000);
    assert.equal(await search(page).inputValue(), 'ri ', 'the field is what was typed');
    await eventually(async () => {
      await page.clock.runFor(100);
      return (await names(page)).join() === 'Rio';
    }, 'what was found');
    assert.equal(address(page), '#/animals?status=all&name=ri');
  });
});
