import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import {
  addAndNext,
  addAnimals,
  animalNames,
  button,
  counts,
  fillForm,
  nameField,
  names,
  openConsole,
  refresh,
  reserveButton,
  row,
  signOut,
  state,
  tab,
} from './support/console.ts';

const LARGEST = 9223372036854775807n;
const SOLD = { name: 'Sold one', categoryId: 7, status: 'sold' };

describe('The inventory console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('rejects a wrong key, and forgets a good one on sign-out', async (t) => {
    const { page } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page) return;
    assert.equal(await page.title(), 'Animals · Animal Store');
    await signOut(page);
    assert.equal(await page.getByLabel('API key').inputValue(), '');
    assert.equal(await page.locator('.row').count(), 0, 'nothing of the store stays on the page');
    await button(page, 'Sign in').click();
    await page.getByText('Enter your API key.').waitFor();
    await page.getByLabel('API key').fill('anst_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not accepted.').waitFor();
  });

  it('is a form that password managers understand', async (t) => {
    const { page } = (await openConsole(t)) ?? {};
    if (!page) return;
    await signOut(page);
    const fields = page.locator('form input:not([type=checkbox])');
    assert.deepEqual(
      await fields.evaluateAll((found) => found.map((one) => one.getAttribute('autocomplete'))),
      ['username', 'current-password'],
    );
  });

  it('counts the animals on the tabs, over a line whose parts differ without their colours', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'Milo', SOLD])) ?? {};
    if (!page) return;
    await eventuallyEqual(() => counts(page), ['4', '3', '0', '1']);
    const patterns = await page.evaluate(
      `[...document.querySelectorAll('.share i')].map((part) => getComputedStyle(part).backgroundImage.split('(')[0])`,
    );
    assert.deepEqual(patterns, ['none', 'radial-gradient']);
  });

  it('lists animals newest first, filters them, and gives every view an address', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', SOLD])) ?? {};
    if (!page) return;
    await eventuallyEqual(() => names(page), ['Sold one', 'Luna', 'Rex']);
    await tab(page, 'Sold').click();
    await eventuallyEqual(() => names(page), ['Sold one']);
    assert.match(page.url(), /#\/animals\?status=sold$/);
    await page.reload();
    await signIn(page);
    await eventuallyEqual(() => names(page), ['Sold one']);
    await page.goBack();
    await eventuallyEqual(() => names(page), ['Sold one', 'Luna', 'Rex']);
  });

  it('finds as a person types, in an address that can be shared', async (t) => {
    const given = ['Rex', 'Luna', 'lucky & co', 'Ludwig', 'Zulú'];
    const { page } = (await openConsole(t, given)) ?? {};
    if (!page) return;
    const search = page.getByPlaceholder('Name, id or category');
    await search.pressSequentially('LU');
    await eventuallyEqual(() => names(page), ['lucky & co', 'Ludwig', 'Luna', 'Zulú']);
    await search.fill('Lucky & C');
    await eventuallyEqual(() => names(page), ['lucky & co']);
    await eventuallyEqual(async () => page.url().split('#')[1], '/animals?name=Lucky+%26+C');
    await page.reload();
    await signIn(page);
    await eventuallyEqual(() => names(page), ['lucky & co']);
    assert.equal(await search.inputValue(), 'Lucky & C');
    await search.fill('Nobody');
    await page.getByRole('heading', { name: /^No animal for .*Nobody/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await eventuallyEqual(async () => (await names(page)).length, 5);
    assert.equal(await search.inputValue(), '');
  });

  it('shows more on demand, and says how many there are', async (t) => {
    const { page } = (await openConsole(t, animalNames(101))) ?? {};
    if (!page) return;
    await page.getByText('50 of 101').waitFor();
    await button(page, 'Show more').click();
    await page.getByText('100 of 101').waitFor();
    await button(page, 'Show more').click();
    await eventuallyEqual(() => names(page), animalNames(101).toReversed());
    await page.getByText('101 animals', { exact: true }).waitFor();
    await page.getByPlaceholder('Name, id or category').fill('Animal 101');
    await page.getByText('1 animal', { exact: true }).waitFor();
  });

  it('keeps 64-bit integers exact, shown and sent', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Atlas', `${LARGEST}`);
    await button(page, 'Add and close').click();
    await eventuallyEqual(
      () => row(page, 'Atlas').locator('.row-category').innerText(),
      `Category\n${LARGEST}`,
    );
    const listed = await service.call('GET', '/v1/pets');
    assert.equal(listed.text, `[{"id":1,"name":"Atlas","categoryId":${LARGEST},"status":"available"}]`);
  });

  it('stores a name with single spaces, and says so', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, '  Sir   Barks ');
    await page.getByText('Stored with single spaces: “\u2068Sir Barks\u2069”').waitFor();
    await addAndNext(page).click();
    await eventuallyEqual(() => names(page), ['Sir Barks']);
    assert.match((await service.call('GET', '/v1/pets')).text, /"name":"Sir Barks"/);
  });

  it('shows the problem of each field beside it in red, keeps what was typed, and moves the focus there', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, '', '');
    await addAndNext(page).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Choose a category.').waitFor();
    assert.equal(await nameField(page).evaluate((field) => field.matches(':focus')), true);
    const colours = await page.evaluate(
      `['border-color', 'color'].map((name) => getComputedStyle(document.querySelector(name === 'color' ? '.problem' : '#add-name')).getPropertyValue(name))`,
    );
    assert.equal((colours as string[])[0], (colours as string[])[1], 'the focus does not hide the red');
    await fillForm(page, 'x'.repeat(1001), '9223372036854775808');
    await addAndNext(page).click();
    await page.getByText('A name has at most 1,000 characters. This one has 1001.').waitFor();
    await page.getByText('This number is out of range.').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Add an animal').first().click();
    assert.equal(await nameField(page).inputValue(), 'x'.repeat(1001), 'the draft survives closing the form');
    assert.equal((await service.call('GET', '/v1/pets')).text, '[]');
  });

  it('reserves and sells in the row, each in its column, and takes it back there', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page) return;
    const left = async (name: RegExp) => (await button(page, name).boundingBox())?.x;
    const column = await left(/^Sell .*Rex/);
    await reserveButton(page, 'Luna').click();
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved Undo');
    await eventuallyEqual(() => counts(page), ['3', '2', '1', '0']);
    await page.mouse.move(0, 0);
    await button(page, /^Sell .*Luna/).waitFor();
    assert.equal(await left(/^Sell .*Luna/), column, 'a missing Reserve leaves a gap');
    await button(page, /^Sell .*Luna/).click();
    await eventuallyEqual(() => state(page, 'Luna'), 'Sold Undo');
    await button(page, /^Sell .*Milo/).click();
    await eventuallyEqual(() => state(page, 'Milo'), 'Sold Undo');
    await eventuallyEqual(() => counts(page), ['3', '1', '0', '2']);
    await button(page, /^Undo the sale of .*Milo/).click();
    await eventuallyEqual(() => state(page, 'Milo'), 'Available');
    await button(page, /^Undo the sale of .*Luna/).click();
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved');
    await eventuallyEqual(() => counts(page), ['3', '2', '1', '0']);
  });

  it('with a category chosen, tabs, line and end of the list count that category, and the filter looks on', async (t) => {
    const prepare = async (service: Service) => {
      for (const [id, name] of [
        [7, 'Dogs'],
        [8, 'Cats'],
      ] as const)
        await service.call('PUT', `/v1/categories/${id}`, { body: { name } });
      await addAnimals(
        service,
        Array.from({ length: 60 }, (_, index) => ({ name: `Cat ${index + 1}`, categoryId: 8 })),
      );
    };
    const { page } = (await openConsole(t, ['Rex', SOLD], { prepare })) ?? {};
    if (!page) return;
    await eventuallyEqual(() => counts(page), ['62', '61', '0', '1']);
    const filter = page.getByLabel('Category', { exact: true });
    const colour = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.filters select')).backgroundColor`);
    const off = await colour();
    await filter.selectOption('Cats');
    await eventuallyEqual(() => counts(page), ['60', '60', '0', '0']);
    assert.equal(await page.locator('.share i').count(), 1);
    await page.getByText('50 of 60', { exact: true }).waitFor();
    assert.notEqual(await colour(), off);
    await filter.selectOption('All categories');
    await eventuallyEqual(() => counts(page), ['62', '61', '0', '1']);
  });

  it('says that there is nothing yet, and leads on', async (t) => {
    const { page } = (await openConsole(t)) ?? {};
    if (!page) return;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    assert.equal(await page.locator('.page .button.main').count(), 1, 'one main button');
    assert.equal(await button(page, 'Select').count(), 0, 'nothing to select');
    await tab(page, 'Reserved').click();
    await page.getByRole('heading', { name: 'No reserved animal' }).waitFor();
    await page.getByPlaceholder('Name, id or category').fill('wal');
    await page.getByRole('heading', { name: /^No reserved animal for .*wal/ }).waitFor();
    await page.getByRole('link', { name: 'Search all animals' }).click();
    await page.getByRole('heading', { name: /^No animal for .*wal/ }).waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
  });

  it('shows markup, right-to-left text, 1,000 characters and emoji as text, and keeps its layout at 360 pixels', async (t) => {
    const odd = ['<img src=x onerror="document.title=1">', 'كلب \u202Eabc', 'W'.repeat(1000), '🐕‍🦺👩‍👩‍👧‍👦'];
    const opened = await openConsole(t, odd, { viewport: { width: 360, height: 740 } });
    if (!opened) return;
    const { page } = opened;
    const shown = () => page.locator('.rows .name').allTextContents();
    const wide = () => page.evaluate('document.documentElement.scrollWidth');
    await eventuallyEqual(shown, odd.toReversed());
    for (const name of odd) {
      await button(page, /^Reserve/)
        .last()
        .click();
      await page.mouse.move(0, 0);
      await refresh(opened);
      assert.equal(await wide(), 360, name);
    }
    await page.getByRole('link', { name: /^WWW/ }).click();
    await eventuallyEqual(
      () => page.getByRole('dialog').getByRole('heading', { level: 2 }).innerText(),
      'W'.repeat(1000),
    );
    assert.equal(await wide(), 360);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: /^WWW/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Orders' }).click();
    await eventuallyEqual(shown, odd);
    assert.equal(await wide(), 360);
    assert.equal(await page.title(), 'Orders · Animal Store');
    assert.equal(await page.locator('img').count(), 0);
  });

  it('no name changes the direction of the sentence it is in', async (t) => {
    const { page } = (await openConsole(t, ['A\u2069\u202Eb\u2066'])) ?? {};
    if (!page) return;
    await button(page, 'Reserve “\u2068Ab\u2069”').click();
    await page.getByText('“\u2068Ab\u2069” is reserved.').waitFor({ state: 'attached' });
  });
});
