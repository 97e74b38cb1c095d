import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, eventually, setHidden, signIn } from '../support/browser.ts';
import {
  addAndNext,
  addAnimals,
  animalNames,
  asked,
  button,
  counts,
  fillForm,
  nameField,
  names,
  openConsole,
  place,
  refresh,
  reserveButton,
  row,
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
    await button(page, 'Sign out').click();
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
    await button(page, 'Sign out').click();
    const fields = page.locator('form input:not([type=checkbox])');
    assert.deepEqual(
      await fields.evaluateAll((found) => found.map((one) => one.getAttribute('autocomplete'))),
      ['username', 'current-password'],
    );
  });

  it('counts the animals on the tabs, over a line whose parts differ without their colours', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'Milo', SOLD])) ?? {};
    if (!page) return;
    await eventually(() => counts(page), ['4', '3', '0', '1']);
    const patterns = await page.evaluate(
      `[...document.querySelectorAll('.share i')].map((part) => getComputedStyle(part).backgroundImage.split('(')[0])`,
    );
    assert.deepEqual(patterns, ['none', 'radial-gradient']);
  });

  it('lists animals newest first, filters them, and gives every view an address', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', SOLD])) ?? {};
    if (!page) return;
    await eventually(() => names(page), ['Sold one', 'Luna', 'Rex']);
    await tab(page, 'Sold').click();
    await eventually(() => names(page), ['Sold one']);
    assert.match(page.url(), /#\/animals\?status=sold$/);
    await page.reload();
    await signIn(page);
    await eventually(() => names(page), ['Sold one']);
    await page.goBack();
    await eventually(() => names(page), ['Sold one', 'Luna', 'Rex']);
  });

  it('finds by a part of a name or by id, in an address that can be shared', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'lucky & co', '2 Cool', 'Ludwig', 'Zulú'])) ?? {};
    if (!page) return;
    const search = page.getByPlaceholder('Part of a name, or id');
    await search.pressSequentially('LU');
    await eventually(() => names(page), ['Zulú', 'Ludwig', 'lucky & co', 'Luna']);
    await search.fill('Lucky & C');
    await eventually(() => names(page), ['lucky & co']);
    await eventually(async () => page.url().split('#')[1], '/animals?name=Lucky+%26+C');
    await page.reload();
    await signIn(page);
    await eventually(() => names(page), ['lucky & co']);
    assert.equal(await search.inputValue(), 'Lucky & C');
    await search.fill('2');
    await eventually(() => names(page), ['Luna', '2 Cool']);
    await search.fill('Nobody');
    await page.getByText(/No animal has a name that contains .*Nobody/).waitFor();
    await page.getByRole('link', { name: 'Show all animals' }).click();
    await eventually(async () => (await names(page)).length, 6);
    assert.equal(await search.inputValue(), '');
  });

  it('shows more on demand, and says how many there are', async (t) => {
    const { page } = (await openConsole(t, animalNames(101))) ?? {};
    if (!page) return;
    await page.getByText('50 of 101').waitFor();
    await button(page, 'Show more').click();
    await page.getByText('100 of 101').waitFor();
    await button(page, 'Show more').click();
    await eventually(() => names(page), animalNames(101).toReversed());
    await page.getByText('101 animals', { exact: true }).waitFor();
    await page.getByPlaceholder('Part of a name, or id').fill('Animal 101');
    await page.getByText('1 animal', { exact: true }).waitFor();
  });

  it('keeps 64-bit integers exact, shown and sent', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Atlas', `${LARGEST}`);
    await button(page, 'Add and close').click();
    await eventually(() => row(page, 'Atlas').locator('.category').innerText(), `Category\n${LARGEST}`);
    const listed = await service.call('GET', '/v1/pets');
    assert.equal(listed.text, `[{"id":1,"name":"Atlas","categoryId":${LARGEST},"status":"available"}]`);
  });

  it('takes in a delivery: keeps the category, asks once about an equal name, and links what was added', async (t) => {
    const { page, service } =
      (await openConsole(t, ['Rex', 'T. Rex'], { path: '/#/animals?status=sold' })) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Luna', '3');
    await page.keyboard.press('Enter');
    await page.getByText('Added just now').waitFor();
    await eventually(() => nameField(page).inputValue(), '');
    assert.equal(await nameField(page).evaluate((field) => field.matches(':focus')), true);
    assert.equal(await page.getByLabel('Category', { exact: true }).inputValue(), '3');
    await nameField(page).fill('rex');
    await page.keyboard.press('Enter');
    await page.getByText(/There is an animal called “\u2068Rex.* already/).waitFor();
    assert.equal((JSON.parse((await service.call('GET', '/v1/pets')).text) as []).length, 3);
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('.added a').allInnerTexts(), ['rex', 'Luna']);
    // Under Sold neither of them is in the list: the link leads to it.
    await page.getByRole('link', { name: 'Luna' }).click();
    await page.getByRole('dialog', { name: 'Luna' }).getByText('Available').waitFor();
  });

  it('stores a name with single spaces, and says so', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, '  Sir   Barks ');
    await page.getByText('Stored with single spaces: “\u2068Sir Barks\u2069”').waitFor();
    await addAndNext(page).click();
    await eventually(() => names(page), ['Sir Barks']);
    assert.match((await service.call('GET', '/v1/pets')).text, /"name":"Sir Barks"/);
  });

  it('shows the problem of each field beside it in red, keeps what was typed, and moves the focus there', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, '', 'seven');
    await addAndNext(page).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('There is no such category. Choose another one, or create it.').waitFor();
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

  it('reserves, completes, cancels and sells, and shows the new state at once', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna', 'Milo'])) ?? {};
    if (!page) return;
    await reserveButton(page, 'Luna').click();
    await eventually(() => state(page, 'Luna'), 'Reserved Undo');
    await eventually(() => counts(page), ['3', '2', '1', '0']);
    await reserveButton(page, 'Rex').click();
    await eventually(() => state(page, 'Rex'), 'Reserved Undo');
    await place(page, 'Orders').click();
    await eventually(() => names(page), ['Rex', 'Luna']);
    await page.getByRole('heading', { level: 2, name: 'Today' }).waitFor();
    await page.getByText('2 orders, 2 reserved').waitFor();
    await button(page, 'Complete order 1').click();
    await eventually(() => state(page, 'Luna'), 'Completed Undo');
    await button(page, 'Cancel order 2').click();
    await eventually(() => state(page, 'Rex'), 'Cancelled Undo');
    await tab(page, 'Cancelled').click();
    await eventually(() => names(page), ['Rex']);
    assert.match(page.url(), /#\/orders\?status=cancelled$/);
    await place(page, 'Animals').click();
    await page.getByRole('link', { name: /Milo/ }).click();
    await button(page, 'Sell now').click();
    await eventually(() => state(page, 'Milo'), 'Sold Undo');
    await eventually(() => counts(page), ['3', '1', '0', '2']);
  });

  it('shows changes made elsewhere within a few seconds, and asks nothing while the tab is hidden', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Rex']);
    await addAnimals(service, ['Newcomer']);
    await page.clock.runFor(5000);
    await button(page, '1 new animal – show').waitFor();
    await eventually(() => counts(page), ['2', '2', '0', '0']);
    await setHidden(page, true);
    const before = asked(front);
    await page.clock.runFor(60_000);
    assert.equal(asked(front), before, 'a hidden tab costs nothing');
    await addAnimals(service, ['While hidden']);
    await setHidden(page, false);
    await button(page, '2 new animals – show').waitFor();
  });

  it('says that there is nothing yet, and leads on', async (t) => {
    const { page } = (await openConsole(t)) ?? {};
    if (!page) return;
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/orders?status=completed`);
    await page.getByRole('heading', { name: 'No completed orders' }).waitFor();
    await page.getByRole('link', { name: 'See available animals' }).click();
    await page.getByRole('heading', { name: 'No available animal' }).waitFor();
  });

  it('shows markup, right-to-left text, 1,000 characters and emoji as text, and keeps its layout at 360 pixels', async (t) => {
    const odd = ['<img src=x onerror="document.title=1">', 'كلب \u202Eabc', 'W'.repeat(1000), '🐕‍🦺👩‍👩‍👧‍👦'];
    const opened = await openConsole(t, odd, { viewport: { width: 360, height: 740 } });
    if (!opened) return;
    const { page } = opened;
    const shown = () => page.locator('.rows .name').allTextContents();
    const wide = () => page.evaluate('document.documentElement.scrollWidth');
    await eventually(shown, odd.toReversed());
    for (const name of odd) {
      await button(page, /^Reserve/)
        .last()
        .click();
      await page.mouse.move(0, 0);
      await refresh(opened);
      assert.equal(await wide(), 360, name);
    }
    await page.getByRole('link', { name: /^WWW/ }).click();
    await eventually(
      () => page.getByRole('dialog').getByRole('heading', { level: 2 }).innerText(),
      'W'.repeat(1000),
    );
    assert.equal(await wide(), 360);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: /^WWW/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Orders' }).click();
    await eventually(shown, odd.toReversed());
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
