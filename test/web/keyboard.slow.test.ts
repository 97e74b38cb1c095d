import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import {
  addAnimals,
  animalNames,
  button,
  focused,
  link,
  message,
  messages,
  names,
  openConsole,
  orderCount,
  positions,
  row,
  search,
  signOut,
  state,
} from './support/console.ts';
import { openByKeyboard } from './support/keyboard.ts';
import { inPanel, openPanel, panel, panelState, storedOrders } from './support/panel.ts';

const title = (page: Page) => page.locator('#view-title');
const place = (page: Page) =>
  page.evaluate(`document.activeElement === document.body ? 'lost' : document.activeElement.className`);

describe('By keyboard alone', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('an animal is found, reserved, sold, taken back, and added, with Undo', async (t) => {
    const keyboard = await openByKeyboard(t, (service) => addAnimals(service, ['Rex', 'Luna']));
    if (!keyboard) return;
    const { page, press, type, tabTo, choose } = keyboard;
    const said = (text: string) => page.locator('.message', { hasText: text });
    await choose(/^Reserve .*Luna/, said('is reserved.'));
    await choose(/^Undo the reservation of .*Luna/, said('is available again.'));
    await choose(/^Sell .*Luna/, said('is sold.'));
    await choose(/^Rex/, panel(page, 'Rex'));
    await choose(/^Reserve$/, inPanel(page, 'Cancel reservation'));
    await choose(/^Add a note$/, page.getByLabel('Note', { exact: true }));
    await type('for Ms Lee');
    await press('Enter');
    await said('The note of').waitFor();
    await choose(/^Sell$/, inPanel(page, 'Take back'));
    await choose(/^Take back$/, inPanel(page, 'Reserve'));
    await choose(/^Remove$/, button(page, 'Keep'));
    await choose(/^Remove$/, inPanel(page, 'Restore'));
    await choose(/^Restore$/, inPanel(page, 'Sell'));
    await choose(/^Edit$/, inPanel(page, 'Save'));
    await press('ControlOrMeta+a');
    await type('Max');
    await choose(/^Save$/, panel(page, 'Max'));
    await press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await choose(/^Add animals$/, panel(page, 'Add animals'));
    await type('Otis');
    await tabTo(/^Category/);
    await type('7');
    await press('Enter');
    await said('Otis').waitFor();
    await focused(page.getByLabel('Name', { exact: true }));
    await press('Escape');
    await row(page, 'Otis').waitFor();
    await eventuallyEqual(() => place(page), 'button main add');
    await choose(/^Reserved/, page.getByRole('heading', { name: 'No animal is reserved' }));
    await choose(/^Show all animals$/, row(page, 'Max'));
  });

  it('/ jo Enter S sells Jo, although Björn is there', async (t) => {
    const { page } = (await openConsole(t, ['Joanna', 'Jo', 'Björn'])) ?? {};
    if (!page) return;
    const { press, type } = page.keyboard;
    await eventuallyEqual(async () => (await names(page)).length, 3);
    await press.call(page.keyboard, '/');
    await focused(search(page));
    await type.call(page.keyboard, 'jo');
    await page.keyboard.press('Enter');
    await focused(link(page, 'Jo'));
    await page.keyboard.press('s');
    await message(page, 'Jo is sold.');
    assert.deepEqual(await names(page), ['Jo', 'Joanna', 'Björn']);
    await focused(link(page, 'Jo'));
    await page.keyboard.press('u');
    await message(page, 'Undone: Jo is available again.');
    for (const [key, name] of [
      ['ArrowDown', 'Joanna'],
      ['ArrowDown', 'Björn'],
      ['ArrowDown', 'Björn'],
      ['ArrowUp', 'Joanna'],
    ] as const) {
      await page.keyboard.press(key);
      await focused(link(page, name));
    }
    await page.keyboard.press('R');
    await message(page, 'Joanna is reserved.');
    await page.keyboard.press('Enter');
    await panel(page, 'Joanna').waitFor();
  });

  it('on a slow network, the S after Enter lands neither in the field nor in another row', async (t) => {
    const { page, service, front } = (await openConsole(t, ['Jo', 'Rex'])) ?? {};
    if (!page || !service || !front) return;
    await eventuallyEqual(() => names(page), ['Rex', 'Jo']);
    front.fault(/^GET \/v1\/pets\?/, { hold: true });
    for (const key of ['/', 'j', 'o', 'Enter', 's', 's']) await page.keyboard.press(key);
    await focused(title(page));
    assert.equal(await search(page).inputValue(), 'jo');
    front.fault();
    await eventuallyEqual(() => names(page), ['Jo']);
    await focused(link(page, 'Jo'));
    assert.equal(await orderCount(service), 0);
    await page.keyboard.press('s');
    await message(page, 'Jo is sold.');
    // A person who has gone elsewhere meanwhile stays there.
    front.fault(/^GET \/v1\/pets\?/, { hold: true });
    for (const key of ['/', 'r', 'e', 'Enter', '/']) await page.keyboard.press(key);
    front.fault();
    await eventuallyEqual(() => names(page), ['Rex']);
    await focused(search(page));
  });

  it('S acts only on a row that has the focus and is seen', async (t) => {
    const opened = await openConsole(t, animalNames(40), { viewport: { width: 900, height: 700 } });
    if (!opened) return;
    const { page, service } = opened;
    const [top = 0] = await positions(page);
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
    await page.locator('.panel').waitFor({ state: 'detached' });
    await focused(link(page, 'Animal 40'));
    assert.equal(await orderCount(service), 0);
    await page.keyboard.press('s');
    await message(page, 'Animal 40 is sold.');
  });

  it('S, R and U work in the panel, wherever the focus is in it but for a field', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page || !service) return;
    await openPanel(page, 'Rex');
    await page.keyboard.press('r');
    await message(page, 'Rex is reserved.');
    await inPanel(page, 'Add a note').click();
    await page.keyboard.type('surf');
    assert.equal(await panelState(page), 'Reserved');
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await message(page, 'Rex is sold.');
    await page.keyboard.press('u');
    await message(page, 'Undone: Rex is reserved again.');
    await inPanel(page, 'Edit').focus();
    await page.keyboard.press('u');
    await message(page, 'Undone: Rex is available again.');
    assert.deepEqual(await storedOrders(service), [['cancelled', undefined]]);
  });

  it('a letter does nothing where the focus is elsewhere, but for / and N', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await button(page, /^Reserve .*Rex/).click();
    await message(page, 'Rex is reserved.');
    for (const where of [title(page), page.locator('.brand'), page.locator('.close-message')]) {
      await where.focus();
      for (const key of ['s', 'r', 'u', 'x', 'j', 'k', '?']) await page.keyboard.press(key);
      await focused(where);
    }
    await link(page, 'Rex').focus();
    for (const key of ['Control+s', 'Alt+s']) await page.keyboard.press(key);
    assert.deepEqual(await messages(page), ['Rex is reserved.']);
    assert.deepEqual(await storedOrders(service), [['placed', undefined]]);
    await page.locator('.brand').focus();
    await page.keyboard.press('n');
    await focused(page.getByLabel('Name', { exact: true }));
    await page.keyboard.press('/');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '/');
  });

  it('Escape leaves the search with its text, and closes the panel, from the list beside it too', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page) return;
    await search(page).fill('a');
    await eventuallyEqual(() => names(page), ['Luna']);
    await page.keyboard.press('Escape');
    await focused(title(page));
    assert.equal(await search(page).inputValue(), 'a');
    await page.keyboard.press('ArrowDown');
    await focused(link(page, 'Luna'));
    for (const beside of [page.locator('.panel'), page.locator('.brand')]) {
      await openPanel(page, 'Luna');
      await beside.focus();
      // In the field it leaves the field first.
      await search(page).focus();
      await page.keyboard.press('Escape');
      assert.equal(await panel(page, 'Luna').count(), 1);
      await beside.focus();
      await page.keyboard.press('Escape');
      await page.locator('.panel').waitFor({ state: 'detached' });
    }
    await button(page, /^Menu of/).press('Enter');
    await button(page, 'Keyboard shortcuts').press('Enter');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('dialog').count(), 0, 'no key works behind the dialog');
    await signOut(page);
  });

  it('the focus is never lost when what was pressed goes', async (t) => {
    const given = [{ name: 'Zoe', categoryId: 7 }, ...animalNames(60)];
    const { page, service } = (await openConsole(t, given)) ?? {};
    if (!page || !service) return;
    /** Presses it with Enter and waits for what that leads to; tells where the keyboard is then. */
    const press = async (what: ReturnType<typeof button>, outcome: () => Promise<unknown>) => {
      await what.press('Enter');
      await outcome();
      // Where the focus is set in the next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      return place(page);
    };
    for (const [name, text] of [
      [/^Reserve .*Animal 60/, 'Animal 60 is reserved.'],
      [/^Cancel .*Animal 60/, 'Animal 60 is available again.'],
      [/^Sell .*Animal 60/, 'Animal 60 is sold.'],
    ] as const) {
      assert.equal(await press(button(page, name), () => message(page, text)), 'name', text);
      await focused(link(page, 'Animal 60'));
    }
    const undoing = () => message(page, 'Undone: Animal 60 is available again.');
    assert.match(String(await press(button(page, /^Undo the sale/), undoing)), /close-message/);
    const closing = (left: number) => () => eventuallyEqual(async () => (await messages(page)).length, left);
    assert.match(String(await press(page.locator('.close-message').nth(2), closing(2))), /close-message/);
    await press(page.locator('.close-message').first(), closing(1));
    await press(page.locator('.close-message'), closing(0));
    await focused(title(page));
    await press(button(page, 'Show more'), () => row(page, 'Zoe').waitFor());
    await focused(link(page, 'Zoe'));
    await addAnimals(service, ['Milo']);
    await press(button(page, '1 new animal – show'), () => row(page, 'Milo').waitFor());
    await focused(title(page));
    await row(page, 'Milo').locator('.cells a').press('Enter');
    await press(button(page, 'All categories'), () =>
      button(page, 'All categories').waitFor({ state: 'detached' }),
    );
    await focused(search(page));
    await link(page, 'Milo').press('Enter');
    await press(inPanel(page, 'Sell'), () => message(page, 'Milo is sold.'));
    await focused(page.locator('.panel'));
    await press(inPanel(page, 'Close'), () => page.locator('.panel').waitFor({ state: 'detached' }));
    await focused(link(page, 'Milo'));
    assert.equal(await state(page, 'Milo'), 'Sold');
  });
});
