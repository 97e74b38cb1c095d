import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { sell } from './support/orders.ts';
import { inPanel, openPanel, panelState } from './support/panel.ts';

const { addAnimals, button, clickFor, counts, inConsole, names, positions } = ui;
const { refresh, row, search, state, tab } = ui;
const five = ['Ada', 'Bo', 'Cleo', 'Dot', 'Ed'];
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Select .*${name}`) });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected animals' });
const ticked = (page: Page) => page.locator('.row.picked .name b').allInnerTexts();
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.locator('.dialog').getByRole('button', { name });

after(closeBrowser);

describe('The list of animals', { concurrency: 2 }, () => {
  const animals = ['Rex', 'Luna', 'Max'];
  inConsole('changes rows in place, and keeps new ones waiting', { animals }, async (opened) => {
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
    const before = await positions(page);
    await clickFor(button(page, /^Sell .*Max/), 'Max is sold.');
    await openPanel(page, 'Luna');
    await addAnimals(service, ['Milo', 'Otis']);
    await ui.order(service, 2);
    await service.call('DELETE', '/v1/pets/1');
    await button(page, '2 new animals – show').waitFor();
    await refresh(opened);
    assert.deepEqual(await names(page), ['Max', 'Luna', 'Rex']);
    assert.deepEqual(await positions(page), before);
    const states = await Promise.all(['Max', 'Luna', 'Rex'].map((name) => state(page, name)));
    assert.deepEqual(states, ['Sold', 'Reserved', 'Removed']);
    assert.equal(await panelState(page), 'Reserved');
    await inPanel(page, 'Cancel reservation').waitFor();
    assert.deepEqual(await ui.messages(page), ['Max is sold.'], 'what others do is no message');
    assert.deepEqual(await counts(page), ['2', '1', '1', '4'], 'the tabs count at once');
    await page.keyboard.press('Escape');
    await button(page, '2 new animals – show').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Milo']);
    assert.match(await page.locator('.end-of-list').innerText(), /^2 animals – /);
    assert.equal(await button(page, /– show$/).count(), 0);
  });

  inConsole('does not move while it loads or the service fails', { animals }, async (opened) => {
    const { page, front } = opened;
    await openPanel(page, 'Luna');
    const foot = () => page.locator('.panel-foot').boundingBox();
    const height = async () => (await page.locator('.row').first().boundingBox())?.height;
    const before = [await positions(page), await foot()];
    const rowHeight = await height();
    front.fault(/^GET \/v1\//, { status: 503, retryAfter: 60 });
    await refresh(opened);
    await page.getByText(/^No answer since \d\d:\d\d$/).waitFor();
    assert.deepEqual([await positions(page), await foot()], before);
    await page.keyboard.press('Escape');
    await ui.signOut(page);
    front.fault(/^GET \/v1\/pets/, { status: 503, retryAfter: 60 });
    await signIn(page);
    await page.getByRole('heading', { name: 'Animals could not be loaded' }).waitFor();
    front.fault();
    await button(page, 'Try again').click();
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
    await ui.signOut(page);
    front.fault(/^GET \/v1\/pets/, { hold: true });
    await signIn(page);
    await page.locator('.skeleton .row').first().waitFor();
    assert.equal(await height(), rowHeight, 'what stands for a row is as high');
    front.fault();
    await eventuallyEqual(() => names(page), ['Max', 'Luna', 'Rex']);
  });

  inConsole('says when it is empty, leads on, and stays while it is refreshed', {}, async (opened) => {
    const { page, service } = opened;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    // The stream has begun, after which the page loads once more.
    await refresh(opened);
    await page.locator('.empty').evaluate((empty) => empty.setAttribute('data-mark', ''));
    for (let times = 0; times < 2; times++) await refresh(opened);
    assert.equal(await page.locator('.empty[data-mark]').count(), 1);
    await page.locator('.empty').getByRole('button', { name: 'Add animals' }).click();
    await page.getByRole('dialog', { name: 'Add animals' }).waitFor();
    await page.keyboard.press('Escape');
    await addAnimals(service, ['Rex']);
    await eventuallyEqual(() => names(page), ['Rex']);
  });

  const many = { prepare: (service: Service) => ui.addMany(service, 1010) };
  inConsole('shows 1,000 rows, and says where others are', many, async ({ page }) => {
    const rows = page.locator('.page .row');
    const end = page.locator('.end-of-list');
    await end.getByText('50 of 1,010 – ').waitFor();
    for (let shown = 50; shown < 1000; shown = Math.min(shown + 100, 1000)) {
      await eventuallyEqual(() => rows.count(), shown);
      await button(page, 'Show more').click();
    }
    await eventuallyEqual(() => rows.count(), 1000);
    assert.match(await end.innerText(), /^1,000 of 1,010\. Search to see others\. .*CSV.* has all\.$/);
    assert.equal(await button(page, 'Show more').count(), 0);
    // A row far from the screen is not laid out; it has its height, and can be reached with the keyboard.
    await ui.link(page, 'Animal 11').focus();
    await page.keyboard.press('ArrowUp');
    await ui.link(page, 'Animal 12').and(page.locator(':focus')).waitFor();
    const looks = await page.evaluate(
      `[...new Set([...document.querySelectorAll('.page .row')].map((one) =>
      getComputedStyle(one).contentVisibility + ' ' + one.getBoundingClientRect().height))]`,
    );
    assert.deepEqual(looks, ['auto 44']);
    const download = page.waitForEvent('download');
    await end.getByRole('button', { name: /CSV/ }).click();
    assert.match((await download).suggestedFilename(), /^animals-\d{4}-\d\d-\d\d\.csv$/);
    await search(page).fill('Animal 101');
    await end.getByText(/^2 animals with .*Animal 101.* in their name/).waitFor();
  });
});

describe('Several animals at once', { concurrency: 2 }, () => {
  const shop = { animals: five };
  inConsole('the bar takes the place of the toolbar, and no row moves', shop, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
    const boxes = () => Promise.all(['.bar', '.rows'].map((one) => page.locator(one).boundingBox()));
    for (const width of [1280, 1000]) {
      await page.setViewportSize({ width, height: 800 });
      const before = await boxes();
      await tick(page, 'Bo').click();
      await bar(page).getByText('1 selected').waitFor();
      assert.deepEqual(await boxes(), before);
      assert.equal(await button(page, /^(Sell|Reserve) ./).count(), 0, 'the actions of single rows rest');
      await inBar(page, 'Select none').press('Enter');
      await tab(page, 'Available').waitFor();
      assert.deepEqual([await boxes(), await ticked(page)], [before, []]);
      await ui.focused(page.locator('#view-title'));
    }
    await tick(page, 'Bo').click();
    await page.evaluate(`location.hash = '#/animals?status=all'`);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(await ticked(page), [], 'nothing is selected any more when other rows are shown');
  });

  inConsole('are sold, moved and removed, with one Undo', shop, async ({ page, service, front }) => {
    await tick(page, 'Dot').click();
    await tick(page, 'Bo').click({ modifiers: ['Shift'] });
    assert.deepEqual(await ticked(page), ['Dot', 'Cleo', 'Bo']);
    assert.equal(await page.locator('.selection .tick:indeterminate').count(), 1);
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    assert.deepEqual(await ticked(page), five.toReversed());
    await tick(page, 'Cleo').click();
    await clickFor(inBar(page, 'Sell'), '4 animals were sold.');
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual([await state(page, 'Ed'), await state(page, 'Cleo')], ['Sold', 'Available']);
    await clickFor(ui.undo(page, ''), 'Undone: the sale of 4 animals.');
    await eventuallyEqual(() => counts(page), ['5', '0', '0', '5']);
    // What another till has sold meanwhile stays ticked.
    for (const name of ['Ada', 'Bo']) await tick(page, name).click();
    front.fault(/^POST \/v1\/store\/orders/, { hold: true });
    await inBar(page, 'Sell').click();
    await bar(page).getByText('Selling 1 of 2…').waitFor();
    await sell(service, 2);
    front.fault();
    await ui.message(page, 'Ada is sold. Not sold: Bo is sold already.');
    await bar(page).getByText('1 selected').waitFor();
    assert.deepEqual(await ticked(page), ['Bo']);
    await inBar(page, 'Select none').click();
    await bar(page).waitFor({ state: 'detached' });
    const category = page.locator('.dialog').getByRole('combobox', { name: 'Category' });
    for (const name of ['Ada', 'Ed']) await tick(page, name).click();
    await inBar(page, 'Move to…').click();
    await category.fill('Ragdolls');
    assert.equal(await page.locator('.dialog small').innerText(), 'New category');
    await clickFor(inDialog(page, 'Move'), '2 animals were moved.');
    await row(page, 'Ed').getByText('Ragdolls').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    for (const name of ['Dot', 'Cleo']) await tick(page, name).click();
    await inBar(page, 'Remove').click();
    await page.getByRole('dialog', { name: 'Remove 2 animals?' }).getByText('Given away').click();
    await clickFor(inDialog(page, 'Remove'), '2 animals were removed.');
    await eventuallyEqual(() => state(page, 'Dot'), 'Removed');
    await row(page, 'Dot').getByText('Given away').waitFor();
  });
});

describe('Finding animals', { concurrency: 2 }, () => {
  const SOLD = { name: 'Sold one', categoryId: 7, status: 'sold' };

  const four = {
    animals: ['Rex', 'Luna', 'Milo', SOLD],
    prepare: (service: Service) => ui.order(service, 1),
  };
  inConsole('counts on the tabs, over a line whose parts differ without colours', four, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['2', '1', '1', '4']);
    const parts = await page.evaluate(
      `[...document.querySelectorAll('.share i')].map((part) => [part.className, Math.round(part.clientWidth / part.parentElement.clientWidth * 4), getComputedStyle(part).backgroundImage.split('(')[0]])`,
    );
    assert.deepEqual(parts, [
      ['available', 2, 'none'],
      ['reserved', 1, 'repeating-linear-gradient'],
      ['sold', 1, 'radial-gradient'],
    ]);
    for (const [name, shown] of [
      ['Available', ['Milo', 'Luna']],
      ['Reserved', ['Rex']],
      ['Sold', ['Sold one']],
      ['All', ['Sold one', 'Milo', 'Luna', 'Rex']],
      ['Removed', []],
    ] as const) {
      await tab(page, name).click();
      await eventuallyEqual(() => names(page), [...shown]);
      assert.equal(await page.locator('.tabs [aria-current]').count(), 1);
    }
    assert.match(page.url(), /#\/animals\?status=removed$/);
  });

  const lu = { animals: ['Rex', 'Luna', 'Ludwig', 'lu', 'Zulú', { ...SOLD, name: 'Lucky & Co' }] };
  inConsole('searches as one types, among all, in an address to share', lu, async ({ page }) => {
    await eventuallyEqual(async () => (await counts(page)).length, 4);
    await search(page).pressSequentially('LU');
    await eventuallyEqual(() => names(page), ['lu', 'Lucky & Co', 'Ludwig', 'Luna', 'Zulú']);
    assert.deepEqual(await counts(page), [], 'nothing counts what was found');
    assert.equal(await tab(page, 'All').getAttribute('aria-current'), 'true');
    await tab(page, 'Sold').click();
    await eventuallyEqual(() => names(page), ['Lucky & Co']);
    await search(page).fill('Lucky & C');
    await eventuallyEqual(async () => page.url().split('#')[1], '/animals?status=sold&name=Lucky+%26+C');
    await page.reload();
    await signIn(page);
    await eventuallyEqual(() => names(page), ['Lucky & Co']);
    assert.equal(await search(page).inputValue(), 'Lucky & C');
    await tab(page, 'All').click();
    await search(page).fill('betta max');
    await page.getByRole('heading', { name: /^No animal is called .*betta max/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(async () => (await names(page)).length, 5);
    assert.equal(await search(page).inputValue(), '');
    assert.equal(await tab(page, 'Available').getAttribute('aria-current'), 'true', 'where it began');
    assert.deepEqual(await counts(page), ['5', '0', '1', '6']);
  });

  const cats = {
    animals: ['Rex', SOLD, ...ui.animalNames(60).map((name) => ({ name, categoryId: 8 }))],
    categories: { 7: 'Dogs', 8: 'Cats' },
  };
  inConsole('a category is a chip in the search; tabs, line and end count it', cats, async ({ page }) => {
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
    await ui.row(page, 'Animal 60').locator('.cells a').click();
    await eventuallyEqual(() => counts(page), ['60', '0', '0', '60']);
    await eventuallyEqual(async () => page.url().split('#')[1], '/animals?category=8');
    await page.getByText('50 of 60 – ').waitFor();
    assert.equal(await page.locator('.share i:visible').count(), 1);
    assert.equal(await search(page).getAttribute('placeholder'), 'Search in \u2068Cats\u2069');
    await button(page, 'All categories').click();
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
    // A suggestion of the browser is no typing; a name that is typed is searched for.
    await search(page).fill('Dogs');
    await page.getByRole('heading', { name: /^No animal is called .*Dogs/ }).waitFor();
    await search(page).evaluate((one: { value: string } & EventTarget) => {
      one.value = 'dogs';
      one.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await search(page).inputValue(), '');
    await eventuallyEqual(() => counts(page), ['1', '0', '1', '2']);
    await page.goBack();
    await eventuallyEqual(() => counts(page), ['61', '0', '1', '62']);
  });

  const odd = [
    '<img src=x onerror="document.title=1">',
    'A\u2069\u202Eb\u2066',
    'كلب \u202Eabc',
    'W'.repeat(1000),
    '🐕‍🦺👩‍👩‍👧‍👦',
  ];
  const narrow = { animals: odd, viewport: { width: 360, height: 740 } };
  inConsole('shows odd names as text, and keeps its layout at 360 pixels', narrow, async (opened) => {
    const { page } = opened;
    // A list cuts what is too wide for it: the page is no wider then, but a name is.
    const wide = () =>
      page.evaluate(`Math.max(document.documentElement.scrollWidth,
        ...[...document.querySelectorAll('bdi')].map((one) => one.getBoundingClientRect().right))`);
    await eventuallyEqual(() => names(page), odd.toReversed());
    await ui.clickFor(button(page, 'Reserve \u2068Ab\u2069'), 'Ab is reserved.');
    const sentence = await page.locator('.message > span').innerText();
    assert.equal(sentence, '\u2068Ab\u2069 is reserved.', 'no name changes the direction of its sentence');
    for (const name of odd.slice(1)) {
      await ui.reserveButton(page, '').last().click();
      await ui.refresh(opened);
      assert.equal(await wide(), 360, name);
    }
    await ui.link(page, 'W'.repeat(1000)).click();
    const heading = page.getByRole('dialog').getByRole('heading', { level: 2 });
    await eventuallyEqual(() => heading.innerText(), 'W'.repeat(1000));
    assert.equal(await wide(), 360);
    assert.equal(await page.locator('img').count(), 0);
  });
});
