import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import { keyWith } from './support/keys.ts';
import * as panels from './support/panel.ts';

const { add, button, clickFor, fillForm, focused, inConsole, message, nameField, names, row } = ui;
const { categoryField, inPanel, openPanel, panel, panelState, storedAnimals } = panels;

after(closeBrowser);

describe('Adding animals', { concurrency: 2 }, () => {
  const added = (page: Page) => page.locator('.added .name b').allInnerTexts();
  const hint = (page: Page) => page.locator('.panel .beside small').first().innerText();

  const luna = { animals: ['Luna'], categories: { 1: 'Dogs' } };
  inConsole('sends at once, or says what is wrong, so that one types on', luna, async (opened) => {
    const { page, service, front } = opened;
    await fillForm(page, '', '');
    await add(page);
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Choose a category.').waitFor();
    await focused(nameField(page));
    const colours = await page.evaluate(
      `[['borderColor', '.panel [aria-invalid=true]'], ['color', '.problem']].map(([name, of]) => getComputedStyle(document.querySelector(of))[name])`,
    );
    assert.equal(new Set(colours as string[]).size, 1, 'the focus does not hide the red');
    await fillForm(page, '  Sir   Barks ', 'dogs');
    await nameField(page).focus();
    front.fault(/^POST \/v1\/pets/, { hold: true });
    await page.keyboard.press('Enter');
    // Before there is an answer.
    await page.keyboard.type('Otis');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Half-typed');
    front.fault();
    await eventuallyEqual(async () => new Set(await added(page)), new Set(['Otis', 'Sir Barks']));
    await focused(nameField(page));
    const fields = [nameField(page), categoryField(page)].map((field) => field.inputValue());
    assert.deepEqual(await Promise.all(fields), ['Half-typed', 'dogs']);
    const stored = (await storedAnimals(service)).map(({ name, categoryId }) => `${name} ${categoryId}`);
    assert.deepEqual(new Set(stored), new Set(['Sir Barks 1', 'Otis 1', 'Luna 7']));
    await clickFor(ui.undo(page, 'adding .*Otis'), 'Undone: Otis was removed again.');
    await eventuallyEqual(() => added(page), ['Sir Barks']);
    assert.deepEqual(await names(page), ['Luna'], 'no row moves below the form');
    // A litter is one entry, also for Undo.
    const count = page.getByLabel('How many');
    await fillForm(page, 'Kitten', 'Dog');
    await page.keyboard.press('Tab');
    assert.equal(await categoryField(page).inputValue(), 'Dog', 'no other one is picked');
    await eventuallyEqual(() => hint(page), 'New category');
    await count.fill('12');
    await add(page);
    await message(page, '12 animals were added.');
    await focused(nameField(page));
    assert.deepEqual([await nameField(page).inputValue(), await count.inputValue()], ['', '1']);
    await eventuallyEqual(() => hint(page), '');
    await clickFor(ui.undo(page, 'adding 12 animals'), 'Undone: 12 animals were removed again.');
    await nameField(page).fill('Half-typed');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await button(page, 'Discard').click();
    await panels.closed(page);
    await eventuallyEqual(async () => (await names(page)).slice(-2), ['Sir Barks', 'Luna']);
    await button(page, 'Add animals').click();
    assert.equal(await nameField(page).inputValue(), '', 'a draft ends with its panel');
    await fillForm(page, 'Rex');
    await add(page);
    await page.locator('.added').getByRole('link', { name: /^Rex/ }).click();
    await panel(page, 'Rex').waitFor();
    assert.equal(await panel(page, 'Add animals').count(), 0);
  });
});

describe('Correcting the inventory', { concurrency: 2 }, () => {
  const remove = (service: Service, id: number, reason: string, options = {}) =>
    service.call('DELETE', `/v1/pets/${id}?reason=${encodeURIComponent(reason)}`, options);
  const listed = async (service: Service) => (await storedAnimals(service)).map(({ name }) => name);

  const bisquit = {
    animals: [{ name: 'Bisquit', categoryId: 7 }],
    categories: { 1: 'Dogs', 2: 'Cats' },
    prepare: (service: Service) =>
      service.call('PATCH', '/v1/pets/1', { body: { name: 'Bisquit', categoryId: 9 } }),
  };
  inConsole('changes name and category in the panel, with Undo', bisquit, async ({ page, service }) => {
    assert.equal(await row(page, 'Bisquit').locator('.cells a').innerText(), 'category 9');
    await openPanel(page, 'Bisquit');
    await panel(page, 'Bisquit').getByText('category 9, without a name').waitFor();
    await inPanel(page, 'Move it').click();
    assert.equal(await categoryField(page).inputValue(), '9');
    await categoryField(page).fill('Dogs');
    await page.keyboard.press('Enter');
    await message(page, 'Bisquit was moved from category 9 to Dogs.');
    assert.equal(await inPanel(page, 'Move it').count(), 0);
    await inPanel(page, 'Edit').click();
    await focused(nameField(page));
    const states = page.locator('.panel').getByLabel(/Status|State/);
    assert.equal(await states.count(), 0, 'a state is no field');
    await nameField(page).fill(' Biscuit ');
    await categoryField(page).fill('cats');
    await page.keyboard.press('Enter');
    await message(page, 'Bisquit was renamed to Biscuit and was moved from Dogs to Cats.');
    await focused(panel(page, 'Biscuit'));
    const history = async () =>
      (await panels.historyTexts(page)).join('. ').replaceAll(/[\u2068\u2069]| by [^.]*/g, '');
    const moved = 'Moved from category 9 to Dogs. Moved from category 7 to category 9. Added';
    await eventuallyEqual(history, `Renamed from “Bisquit”, moved from Dogs to Cats. ${moved}`);
    await ui.undo(page, 'the change of .*Bisquit.*').last().click();
    await message(page, 'Undone: Biscuit was renamed to Bisquit and was moved from Cats to Dogs.');
    await panel(page, 'Bisquit').waitFor();
    assert.deepEqual(await listed(service), ['Bisquit']);
  });

  const reserved = { animals: ['Rex', 'Luna'], prepare: (service: Service) => ui.order(service, 1) };
  inConsole('asks once before what was typed is lost', reserved, async ({ page }) => {
    await openPanel(page, 'Luna');
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await inPanel(page, 'Edit').click();
    await nameField(page).fill('Lunar');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => inPanel(page, 'Close').click(),
      () => ui.place(page, 'Orders').click(),
      () => row(page, 'Luna').locator('.cells a').click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave();
      await question.waitFor();
      await focused(button(page, 'Go on typing'));
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await eventuallyEqual(() => nameField(page).inputValue(), 'Lunar');
    }
    await page.keyboard.press('Escape');
    await button(page, 'Discard').last().click();
    await panel(page, 'Luna').waitFor();
    assert.equal(await panelState(page), 'Available');
    // Once it is discarded, or was not changed, nothing is asked.
    await inPanel(page, 'Edit').click();
    await eventuallyEqual(() => nameField(page).inputValue(), 'Luna');
    await page.goto(page.url().replace(/#.*/, '#/animals?status=pending'));
    await ui.link(page, 'Rex').click();
    await inPanel(page, 'Add a note').click();
    await panels.noteField(page).fill('for Ms Lee');
    await ui.place(page, 'Keys').click();
    await button(page, 'Discard').click();
    await eventuallyEqual(() => page.title(), 'Keys · Animal Store');
    assert.equal(await question.count(), 0);
  });

  const removed = {
    animals: ['Rex', 'Luna', 'Milo', 'Otis'],
    prepare: async (service: Service) => {
      await remove(service, 1, 'Given away', { key: await keyWith(service, ['pets:write'], 'till 3') });
      await remove(service, 4, 'Died');
    },
  };
  inConsole('removes an animal for a reason, finds and restores it', removed, async ({ page, service }) => {
    await openPanel(page, 'Luna');
    const dialog = page.getByRole('dialog', { name: 'Remove \u2068Luna\u2069?' });
    await inPanel(page, 'Remove').click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await focused(panel(page, 'Luna'));
    await inPanel(page, 'Remove').press('Enter');
    await dialog.getByText('Other…').click();
    await dialog.getByLabel('Reason').fill('Moved to the farm');
    await page.keyboard.press('Enter');
    await message(page, 'Luna was removed.');
    assert.equal(await panelState(page), 'Removed');
    await panel(page, 'Luna').locator('.order').getByText('Moved to the farm').waitFor();
    assert.deepEqual(await names(page), ['Milo', 'Luna'], 'the row stays where it is');
    await eventuallyEqual(() => ui.counts(page), ['1', '0', '0', '1']);
    await ui.undo(page, 'the removal of .*Luna').click();
    await eventuallyEqual(() => panelState(page), 'Available');
    assert.deepEqual(await listed(service), ['Milo', 'Luna']);
    await ui.tab(page, 'Removed').click();
    await eventuallyEqual(() => names(page), ['Otis', 'Rex']);
    assert.equal(await row(page, 'Rex').locator('.note').innerText(), 'Given away');
    await ui.link(page, 'Rex').click();
    const removal = panel(page, 'Rex').getByText(/^Removed .* by .*till 3/);
    await removal.waitFor();
    assert.equal(await inPanel(page, 'Move it').count(), 0, 'what is removed is in no category');
    await page.keyboard.press('Escape');
    // Nothing is under the second click.
    await button(page, /^Restore .*Rex/).dblclick();
    await message(page, 'Rex is restored.');
    assert.equal(await ui.state(page, 'Rex'), 'Available');
    assert.deepEqual(await names(page), ['Otis', 'Rex'], 'the row stays');
    await ui.undo(page, 'the restoring of .*Rex').click();
    await eventuallyEqual(() => ui.state(page, 'Rex'), 'Removed');
    for (const name of ['Otis', 'Rex'])
      await page.getByRole('checkbox', { name: `Select \u2068${name}\u2069` }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
    await message(page, '2 animals were restored.');
    assert.equal((await listed(service)).length, 4);
  });
});

describe('Categories', { concurrency: 2 }, () => {
  const shop = {
    animals: Object.entries({ Rex: 1, Max: 1, Atlas: 99 }).map(([name, categoryId]) => ({
      name,
      categoryId,
    })),
    categories: { 1: 'Dogs', 2: 'Cats' },
    path: '/#/categories',
  };
  /** The numbers of a row, or its state. */
  const figures = async (page: Page, name: string) =>
    (await row(page, name).locator('.number').allInnerTexts()).map((text) => text.trim()).join(' ');
  const press = (page: Page, what: string) =>
    button(page, new RegExp(`^${what.replace(' ', ' .?')}`)).click();

  inConsole('have numbers that lead to the animals', shop, async ({ page, service }) => {
    await eventuallyEqual(() => names(page), ['Cats', 'Dogs', 'Category 99', 'All animals']);
    await eventuallyEqual(() => figures(page, 'Category 99'), '1 0 0 1');
    await ui.order(service, 1);
    await eventuallyEqual(() => figures(page, 'Dogs'), '1 1 0 2');
    await eventuallyEqual(() => figures(page, 'All animals'), '2 1 0 3');
    await page.getByRole('link', { name: /^1 reserved in .?Dogs/ }).click();
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.match(page.url(), /#\/animals\?status=pending&category=1$/);
    await page.goBack();
    await row(page, 'Category 99').locator('a.name').click();
    await eventuallyEqual(() => names(page), ['Atlas']);
  });

  inConsole('are added, named, renamed and removed, and no row moves', shop, async ({ page }) => {
    const enter = async (name: string) => {
      await nameField(page).fill(name);
      await page.keyboard.press('Enter');
    };
    await press(page, 'New category');
    await enter('dogs');
    await page.getByText('Another category has this name.').waitFor();
    for (const [what, name, said] of [
      ['', 'Birds', 'The category “Birds” was added.'],
      ['Name category 99', 'Turtles', 'Category 99 is called “Turtles”.'],
      ['Rename Cats', 'Wild cats', '“Cats” was renamed to “Wild cats”.'],
    ] as const) {
      if (what) await press(page, what);
      await enter(name);
      await message(page, said);
    }
    await eventuallyEqual(() => names(page), ['Wild cats', 'Dogs', 'Turtles', 'Birds', 'All animals']);
    await press(page, 'Remove Birds');
    await eventuallyEqual(() => figures(page, 'Birds'), 'Removed');
    await ui.undo(page, 'the removal of .*Birds').click();
    await eventuallyEqual(() => figures(page, 'Birds'), '0 0 0 0');
    const question = /^Move its 2 animals to .* and remove .*Dogs.*\? This cannot be undone\.$/;
    for (const answer of ['Keep', 'Move and remove']) {
      await press(page, 'Remove Dogs');
      await page.getByText(question).waitFor();
      await button(page, answer).click();
      assert.equal(await figures(page, 'Dogs'), '2 0 0 2');
    }
    await page.getByText('Choose the category that they move to.').waitFor();
    await page.getByLabel('Category', { exact: true }).selectOption('Wild cats');
    await button(page, 'Move and remove').click();
    await message(page, '2 moved to “Wild cats”, and “Dogs” was removed.');
    assert.equal(await ui.undo(page, 'the move').count(), 0);
    await eventuallyEqual(() => figures(page, 'Wild cats'), '2 0 0 2');
    assert.equal(await figures(page, 'Dogs'), 'Removed');
  });
});
