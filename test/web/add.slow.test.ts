import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import * as ui from './support/console.ts';
import { categoryField, panel, storedAnimals } from './support/panel.ts';

const { add, button, clickFor, fillForm, focused, inConsole, message, nameField, names, row } = ui;
const LARGEST = 9223372036854775807n;
const added = (page: Page) => page.locator('.added .name b').allInnerTexts();
const hint = (page: Page) => page.locator('.panel .beside small').first().innerText();

describe('Adding animals', { concurrency: 2 }, () => {
  after(closeBrowser);

  const luna = { animals: ['Luna'], categories: { 1: 'Dogs' } };
  inConsole('sends at once and clears the name, so that one types on', luna, async (opened) => {
    const { page, service, front } = opened;
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
    assert.equal(await nameField(page).inputValue(), 'Half-typed');
    assert.equal(await categoryField(page).inputValue(), 'dogs');
    assert.deepEqual(
      new Set((await storedAnimals(service)).map(({ name, categoryId }) => `${name} ${categoryId}`)),
      new Set(['Sir Barks 1', 'Otis 1', 'Luna 7']),
    );
    await clickFor(ui.undo(page, 'adding .*Otis'), 'Undone: Otis was removed again.');
    await eventuallyEqual(() => added(page), ['Sir Barks']);
    assert.deepEqual(await names(page), ['Luna'], 'no row moves below the form');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await button(page, 'Discard').click();
    await panel(page, 'Add animals').waitFor({ state: 'detached' });
    await eventuallyEqual(() => names(page), ['Sir Barks', 'Luna']);
    await button(page, 'Add animals').click();
    assert.equal(await nameField(page).inputValue(), '', 'a draft ends with its panel');
    await fillForm(page, 'Rex');
    await add(page);
    await page.locator('.added').getByRole('link', { name: /^Rex/ }).click();
    await panel(page, 'Rex').waitFor();
    assert.equal(await panel(page, 'Add animals').count(), 0);
  });

  const named = { categories: { 1: 'Hotdogs', 2: 'Köter' } };
  inConsole('takes the category as it was typed, and picks no other', named, async ({ page, service }) => {
    const cases = [
      ['Rex', 'Dog', 'New category', 'Dog'],
      ['Otis', 'köter', '', 'Köter'],
      ['Atlas', `${LARGEST}`, 'Category without a name', `category ${LARGEST}`],
    ] as const;
    for (const [name, category, kind] of cases) {
      await fillForm(page, name, category);
      await page.keyboard.press('Tab');
      assert.deepEqual([await categoryField(page).inputValue(), await hint(page)], [category, kind]);
      await add(page);
      await message(page, `${name} was added.`);
    }
    // A litter is one entry, also for Undo.
    const count = page.getByLabel('How many');
    await fillForm(page, 'Kitten', 'Ragdolls');
    await count.fill('12');
    await add(page);
    await message(page, '12 animals were added.');
    await focused(nameField(page));
    assert.deepEqual([await nameField(page).inputValue(), await count.inputValue()], ['', '1']);
    await eventuallyEqual(() => hint(page), '');
    await clickFor(ui.undo(page, 'adding 12 animals'), 'Undone: 12 animals were removed again.');
    await page.keyboard.press('Escape');
    for (const [name, , , shown] of cases)
      assert.equal(await row(page, name).locator('.cells a').innerText(), shown);
    assert.match((await service.call('GET', '/v1/pets')).text, new RegExp(`"categoryId":${LARGEST},`));
  });

  inConsole('says what is wrong beside the field, and sends nothing', {}, async (opened) => {
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
    await nameField(page).fill('Rex');
    await categoryField(page).fill(' ');
    await nameField(page).press('Enter');
    await page.getByText('Choose a category.').waitFor();
    await focused(categoryField(page));
    assert.equal(front.requests.filter((line) => line.startsWith('POST')).length, 0);
    // Refused by the service: what was typed comes back.
    await categoryField(page).fill('7');
    front.fault(/^POST /, { status: 403 });
    await add(page);
    await page.getByText(/^.*Rex.* not added: /).waitFor();
    assert.equal(await nameField(page).inputValue(), 'Rex');
    // Without an answer it may have been added: the message can try again.
    front.fault(/^POST /, { status: 503, retryAfter: 60 });
    await add(page);
    await message(page, 'The store is not available right now (503). Adding Rex may or may not be done.');
    front.fault();
    await clickFor(button(page, /^Try again: adding .*Rex/), 'Rex was added.');
    assert.equal((await storedAnimals(service)).length, 1);
  });
});
