import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual, PATIENCE_MS } from '../support/eventually.ts';
import { KEY } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { closed, inPanel, noteField, openPanel, panel, panelState } from './support/panel.ts';

const { button, focused, inConsole, link, message, messages, names, orderCount, row, search } = ui;
const title = (page: Page) => page.locator('#view-title');
const said = (page: Page, text: string) => page.locator('.message', { hasText: text });
const place = (page: Page) =>
  page.evaluate(`document.activeElement === document.body ? 'lost' : document.activeElement.className`);
const focusedName = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(`(({ activeElement: one }) =>
      one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText)(document)`),
  ).trim();

/** Goes to what has this name, by Tab. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await page.keyboard.press('Tab'))
    if (name.test(await focusedName(page))) return;
  assert.fail(`${name} cannot be reached`);
}

/** Presses Enter there, and waits for what that leads to. The keyboard must still be somewhere then. */
async function press(what: Locator, outcome: Locator, count = 1): Promise<void> {
  const page = what.page();
  await what.press('Enter');
  await eventuallyEqual(() => outcome.count(), count);
  // The page moves the focus in the frame after a change, and in effects, which follow that frame.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  assert.notEqual(await place(page), 'lost', `after ${what}`);
}

describe('By keyboard alone', { concurrency: 2 }, () => {
  after(closeBrowser);

  inConsole('one signs in, acts, edits, adds and filters', { animals: ['Rex', 'Luna'] }, async ({ page }) => {
    const choose = async (name: RegExp, outcome: Locator) => {
      await tabTo(page, name);
      await press(page.locator(':focus'), outcome);
    };
    await page.reload();
    await page.locator('#api-key:focus').waitFor();
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await choose(/^Reserve .*Luna/, said(page, 'is reserved.'));
    await choose(/^Undo the reservation of .*Luna/, said(page, 'is available again.'));
    await choose(/^Rex/, panel(page, 'Rex'));
    await choose(/^Reserve$/, inPanel(page, 'Cancel reservation'));
    await choose(/^Add a note$/, noteField(page));
    await page.keyboard.type('for Ms Lee');
    await page.keyboard.press('Enter');
    await said(page, 'The note of').waitFor();
    await choose(/^Sell$/, inPanel(page, 'Take back'));
    await choose(/^Take back$/, inPanel(page, 'Reserve'));
    await choose(/^Edit$/, inPanel(page, 'Save'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Max');
    await choose(/^Save$/, panel(page, 'Max'));
    await page.keyboard.press('Escape');
    await closed(page);
    await choose(/^Add animals$/, panel(page, 'Add animals'));
    await page.keyboard.type('Otis');
    await tabTo(page, /^Category/);
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await said(page, 'Otis').waitFor();
    await focused(ui.nameField(page));
    await page.keyboard.press('Escape');
    await row(page, 'Otis').waitFor();
    await eventuallyEqual(() => place(page), 'button main add');
    await choose(/^Reserved/, page.getByRole('heading', { name: 'No animal is reserved' }));
    await choose(/^Show all animals$/, row(page, 'Max'));
  });

  const jo = ['Joanna', 'Jo', 'Björn'];
  inConsole('/ jo Enter S sells Jo, however slow', { animals: jo }, async ({ page, service, front }) => {
    const { keyboard } = page;
    await eventuallyEqual(async () => (await names(page)).length, 3);
    front.fault(/^GET \/v1\/pets\?/, { hold: true });
    for (const key of ['/', 'j', 'o', 'Enter', 's', 's']) await keyboard.press(key);
    await focused(title(page));
    assert.equal(await search(page).inputValue(), 'jo', 'S landed neither in the field nor in a row');
    front.fault();
    await eventuallyEqual(() => names(page), ['Jo', 'Joanna', 'Björn']);
    await focused(link(page, 'Jo'));
    assert.equal(await orderCount(service), 0);
    await keyboard.press('s');
    await message(page, 'Jo is sold.');
    await focused(link(page, 'Jo'));
    await keyboard.press('u');
    await message(page, 'Undone: Jo is available again.');
    for (const [key, name] of [
      ['ArrowDown', 'Joanna'],
      ['ArrowDown', 'Björn'],
      ['ArrowDown', 'Björn'],
      ['ArrowUp', 'Joanna'],
    ] as const) {
      await keyboard.press(key);
      await focused(link(page, name));
    }
    // A person who has gone elsewhere meanwhile stays there.
    front.fault(/^GET \/v1\/pets\?/, { hold: true });
    for (const key of ['/', 'b', 'j', 'Enter', '/']) await keyboard.press(key);
    front.fault();
    await eventuallyEqual(() => names(page), ['Björn']);
    await focused(search(page));
    await keyboard.press('ArrowDown');
    await focused(link(page, 'Björn'));
  });

  const many = { animals: ui.animalNames(40), viewport: { width: 900, height: 700 } };
  inConsole('S acts only on a row that has the focus and is seen', many, async ({ page, service }) => {
    const [top = 0] = await ui.positions(page);
    await link(page, 'Animal 40').focus();
    for (const away of [
      () => page.evaluate('scrollTo(0, 1000)'),
      // Below the bar, which stays in sight.
      () => page.evaluate(`scrollTo(0, ${top} - 80)`),
      async () => {
        await page.evaluate('scrollTo(0, 0)');
        await openPanel(page, 'Animal 39');
        await page.evaluate(`document.querySelector('.panel').style.width = '95%'`);
        await link(page, 'Animal 40').focus();
      },
    ]) {
      await away();
      await focused(link(page, 'Animal 40'));
      await page.keyboard.press('s');
      assert.equal(await page.locator('.running').count(), 0);
    }
    await page.keyboard.press('Escape');
    await closed(page);
    await focused(link(page, 'Animal 40'));
    assert.equal(await orderCount(service), 0);
    await page.keyboard.press('s');
    await message(page, 'Animal 40 is sold.');
  });

  inConsole('letters act in a row and the panel only', { animals: ['Rex'] }, async ({ page }) => {
    await ui.clickFor(button(page, /^Reserve .*Rex/), 'Rex is reserved.');
    for (const where of [title(page), page.locator('.brand'), page.locator('.close-message')]) {
      await where.focus();
      for (const key of ['s', 'r', 'u', 'x', 'j', 'k', '?']) await page.keyboard.press(key);
      await focused(where);
    }
    await link(page, 'Rex').focus();
    for (const key of ['Control+s', 'Alt+s']) await page.keyboard.press(key);
    assert.deepEqual(await messages(page), ['Rex is reserved.']);
    await openPanel(page, 'Rex');
    await inPanel(page, 'Add a note').click();
    await page.keyboard.type('surf');
    assert.equal(await panelState(page), 'Reserved');
    await page.keyboard.press('Escape');
    await inPanel(page, 'Edit').focus();
    for (const [key, text] of [
      ['s', 'Rex is sold.'],
      ['u', 'Undone: Rex is reserved again.'],
      ['u', 'Undone: Rex is available again.'],
      ['R', 'Rex is reserved.'],
    ] as const) {
      await page.keyboard.press(key);
      await message(page, text);
    }
    await page.keyboard.press('Escape');
    await ui.place(page, 'Orders').click();
    await focused(title(page));
    await page.keyboard.press('/');
    await focused(search(page));
    await page.locator('.brand').focus();
    await page.keyboard.press('n');
    await focused(ui.nameField(page));
    await page.keyboard.press('/');
    assert.equal(await ui.nameField(page).inputValue(), '/');
  });

  const two = { animals: ['Rex', 'Luna'] };
  inConsole('Escape leaves a field, then closes the panel', two, async ({ page }) => {
    await search(page).fill('a');
    await eventuallyEqual(() => names(page), ['Luna']);
    await page.keyboard.press('Escape');
    await focused(title(page));
    assert.equal(await search(page).inputValue(), 'a');
    await page.keyboard.press('ArrowDown');
    await focused(link(page, 'Luna'));
    // From the list beside the panel, too.
    for (const where of [page.locator('.panel'), page.locator('.brand')]) {
      await openPanel(page, 'Luna');
      await search(page).focus();
      await page.keyboard.press('Escape');
      assert.equal(await panel(page, 'Luna').count(), 1);
      await where.focus();
      await page.keyboard.press('Escape');
      await closed(page);
    }
    await button(page, /^Menu of/).press('Enter');
    await button(page, 'Keyboard shortcuts').press('Enter');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('dialog').count(), 0, 'no key works behind the dialog');
    await ui.signOut(page);
  });

  const zoe = [{ name: 'Zoe', categoryId: 7 }, ...ui.animalNames(60)];
  inConsole('the focus stays when what was pressed goes', { animals: zoe }, async ({ page, service }) => {
    await press(button(page, /^Reserve .*Animal 60/), said(page, 'is reserved.'));
    await focused(link(page, 'Animal 60'));
    const close = page.locator('.close-message');
    await press(button(page, /^Undo the reservation/), said(page, 'Undone: '));
    assert.match(String(await place(page)), /close-message/);
    await press(close, close, 0);
    await focused(title(page));
    await press(button(page, 'Show more'), row(page, 'Zoe'));
    await focused(link(page, 'Zoe'));
    await ui.addAnimals(service, ['Milo']);
    await press(button(page, '1 new animal – show'), row(page, 'Milo'));
    await focused(title(page));
    const chip = button(page, 'All categories');
    await press(row(page, 'Milo').locator('.cells a'), chip);
    await press(chip, chip, 0);
    await focused(search(page));
    await press(link(page, 'Milo'), inPanel(page, 'Sell'));
    await press(inPanel(page, 'Sell'), said(page, 'is sold.'));
    await focused(page.locator('.panel'));
    await press(inPanel(page, 'Close'), page.locator('.panel'), 0);
    await focused(link(page, 'Milo'));
  });
});
