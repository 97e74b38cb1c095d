import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage, setHidden, signIn } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';

const LARGEST = 9223372036854775807n;

const add = (service: Service, name: string, more: Record<string, unknown> = {}) =>
  service.call('POST', '/v1/pets', { body: { name, categoryId: 7, ...more } });

/** The texts of the rows, cell by cell. */
const rows = (page: Page) =>
  page
    .locator('tbody tr:not(.skeleton-row)')
    .evaluateAll((found) =>
      found.map((row) => (row as unknown as { innerText: string }).innerText.split(/[\t\n]+/).join(' ')),
    );
const names = (page: Page) => page.locator('tbody .pet-name').allInnerTexts();

async function open(
  t: TestContext,
  path = '/',
  animals: readonly string[] = [],
): Promise<[Page, Service] | undefined> {
  const service = await startService(t);
  for (const name of animals) await add(service, name);
  const page = await openPage(t, service.origin + path);
  return page && [page, service];
}

describe('The inventory console', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('asks for a key, rejects a wrong one, and forgets a good one on sign-out', async (t) => {
    const [page] = (await open(t)) ?? [];
    if (!page) return;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your API key.').waitFor();
    await page.getByLabel('API key').fill('anst_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not accepted.').waitFor();
    await signIn(page);
    assert.equal(await page.title(), 'Animals · Animal Store');
    await page.getByRole('button', { name: 'Sign out' }).click();
    assert.equal(await page.getByLabel('API key').inputValue(), '');
    assert.equal(await page.getByRole('table').count(), 0, 'nothing of the store stays on the page');
  });

  it('shows how many animals there are, as numbers and as a chart with a description', async (t) => {
    const [page, service] = (await open(t, '/', ['Rex', 'Luna', 'Milo'])) ?? [];
    if (!page || !service) return;
    await add(service, 'Sold', { status: 'sold' });
    await signIn(page);
    const overview = page.getByRole('region', { name: 'Inventory' });
    await eventually(() => overview.locator('.stat-value').allInnerTexts(), ['3', '0', '1']);
    await overview.getByRole('img', { name: 'Share by status: Available 3, Sold 1' }).waitFor();
    const patterns = await page.evaluate(
      `[...document.querySelectorAll('.chart-part')].map((part) => getComputedStyle(part).backgroundImage.split('(')[0])`,
    );
    assert.deepEqual(patterns, ['none', 'radial-gradient'], 'the parts differ without their colours');
  });

  it('lists animals newest first, filters them, and gives every view an address', async (t) => {
    const [page, service] = (await open(t, '/', ['Rex', 'Luna', 'Milo'])) ?? [];
    if (!page || !service) return;
    await add(service, 'Sold one', { status: 'sold' });
    await signIn(page);
    await eventually(() => names(page), ['Sold one', 'Milo', 'Luna', 'Rex']);
    await page
      .getByRole('navigation', { name: 'Filter by status' })
      .getByRole('link', { name: 'Sold' })
      .click();
    await eventually(() => names(page), ['Sold one']);
    assert.match(page.url(), /#\/animals\?status=sold$/);
    await page.reload();
    await signIn(page);
    await eventually(() => names(page), ['Sold one']);
    await page.goBack();
    await eventually(() => names(page), ['Sold one', 'Milo', 'Luna', 'Rex']);
  });

  it('finds animals by the beginning of their name, in an address that can be shared', async (t) => {
    const [page, service] = (await open(t, '/', ['Rex', 'Luna', 'lucky & co', 'Milo', 'Ludwig'])) ?? [];
    if (!page || !service) return;
    await signIn(page);
    const search = page.getByLabel('Find by name');
    await search.pressSequentially('LU');
    await eventually(() => names(page), ['lucky & co', 'Ludwig', 'Luna']);
    await search.fill('Lucky & C');
    await eventually(() => names(page), ['lucky & co']);
    await eventually(async () => page.url().split('#')[1], '/animals?name=Lucky+%26+C');
    await page.reload();
    await signIn(page);
    await eventually(() => names(page), ['lucky & co']);
    assert.equal(await search.inputValue(), 'Lucky & C');
    await search.fill('Nobody');
    await page.getByText(/No animal has a name that begins with .*Nobody/).waitFor();
    await page.getByRole('link', { name: 'Show all animals' }).click();
    await eventually(async () => (await names(page)).length, 5);
    assert.equal(await search.inputValue(), '');
  });

  it('shows more on demand', async (t) => {
    const all = Array.from({ length: 45 }, (_, index) => `Animal ${index}`);
    const [page] = (await open(t, '/', all)) ?? [];
    if (!page) return;
    await signIn(page);
    await eventually(async () => (await names(page)).length, 20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(async () => (await names(page)).length, 40);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => names(page), all.toReversed());
    await page.getByText('Showing all 45.').waitFor();
  });

  it('keeps 64-bit integers exact, shown and sent', async (t) => {
    const [page, service] = (await open(t)) ?? [];
    if (!page || !service) return;
    await signIn(page);
    await page.getByRole('button', { name: 'Add an animal' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Atlas');
    await page.getByLabel('Category').fill(`${LARGEST}`);
    await page.getByRole('button', { name: 'Add animal' }).click();
    await eventually(() => rows(page), [`Atlas Available ${LARGEST} 1 Reserve`]);
    const listed = await service.call('GET', '/v1/pets');
    assert.equal(listed.text, `[{"id":1,"name":"Atlas","categoryId":${LARGEST},"status":"available"}]`);
  });

  it('shows the problem of each field beside it, keeps what was typed, and moves the focus there', async (t) => {
    const [page, service] = (await open(t)) ?? [];
    if (!page || !service) return;
    await signIn(page);
    await page.getByRole('button', { name: 'Add an animal' }).first().click();
    const name = page.getByLabel('Name', { exact: true });
    const category = page.getByLabel('Category');
    await category.fill('seven');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Enter the category as a whole number.').waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    assert.equal(await name.evaluate((field) => field.matches(':focus')), true);
    await name.fill('x'.repeat(1001));
    await category.fill('9223372036854775808');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('This number is out of range.').waitFor();
    await category.fill('7');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('Must be 1 to 1,000 characters').waitFor();
    assert.equal(await name.inputValue(), 'x'.repeat(1001));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add an animal' }).first().click();
    assert.equal(await category.inputValue(), '7', 'the draft survives closing the form');
    assert.equal((await service.call('GET', '/v1/pets')).text, '[]');
  });

  it('reserves, completes and cancels, and shows the new state at once', async (t) => {
    const [page] = (await open(t, '/', ['Rex', 'Luna'])) ?? [];
    if (!page) return;
    await signIn(page);
    await page.getByRole('button', { name: /^Reserve.*Luna/ }).click();
    await page.getByText('is reserved. Order 1 is open.').waitFor();
    await eventually(() => rows(page), ['Luna Pending 7 2 Open orders', 'Rex Available 7 1 Reserve']);
    await eventually(() => page.locator('.stat-value').allInnerTexts(), ['1', '1', '0']);
    await page.getByRole('button', { name: /^Reserve.*Rex/ }).click();
    await page.getByText('Order 2 is open.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click();
    await eventually(() => names(page), ['Rex', 'Luna']);
    await page.getByRole('button', { name: 'Complete order 1' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete order' }).click();
    await page.getByText('Order 1 is completed.').waitFor();
    await page.getByRole('button', { name: 'Cancel order 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    await page.getByText('Order 2 is cancelled.').waitFor();
    await eventually(() => page.locator('.stat-value').allInnerTexts(), ['1', '0', '1']);
    await page.getByRole('link', { name: 'Cancelled' }).click();
    await eventually(() => names(page), ['Rex']);
    assert.match(page.url(), /#\/orders\?status=cancelled$/);
  });

  it('shows changes made elsewhere within a few seconds, and asks nothing while the tab is hidden', async (t) => {
    const [page, service] = (await open(t, '/', ['Rex'])) ?? [];
    if (!page || !service) return;
    await signIn(page);
    await eventually(() => names(page), ['Rex']);
    await add(service, 'Newcomer');
    await eventually(() => names(page), ['Newcomer', 'Rex']);
    await eventually(() => page.locator('.stat-value').allInnerTexts(), ['2', '0', '0']);

    let asked = 0;
    page.on('request', () => asked++);
    await setHidden(page, true);
    await page.waitForTimeout(500);
    asked = 0;
    await add(service, 'While hidden');
    await page.waitForTimeout(6000);
    assert.equal(asked, 0, 'a hidden tab costs nothing');
    await setHidden(page, false);
    await eventually(() => names(page), ['While hidden', 'Newcomer', 'Rex']);
  });

  it('says that there is nothing yet, and leads on', async (t) => {
    const [page] = (await open(t)) ?? [];
    if (!page) return;
    await signIn(page);
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/orders?status=completed`);
    await page.getByRole('heading', { name: 'No completed orders' }).waitFor();
    await page.getByRole('link', { name: 'See available animals' }).click();
    await page.getByRole('heading', { name: 'No available animal' }).waitFor();
  });

  it('shows markup, right-to-left text, 1,000 characters and emoji as text, and keeps its layout at 360 pixels', async (t) => {
    const odd = ['<img src=x onerror="document.title=1">', 'كلب \u202Eabc', 'W'.repeat(1000), '🐕‍🦺👩‍👩‍👧‍👦'];
    const [page, service] = (await open(t, '/', odd)) ?? [];
    if (!page || !service) return;
    await page.setViewportSize({ width: 360, height: 740 });
    await signIn(page);
    const shown = () => page.locator('tbody .pet-name').allTextContents();
    const wide = () => page.evaluate('document.documentElement.scrollWidth');
    await eventually(shown, odd.toReversed());
    for (const order of [1, 2, 3, 4]) {
      await page
        .getByRole('button', { name: /^Reserve/ })
        .last()
        .click();
      await page.getByText(`Order ${order} is open.`).waitFor();
      assert.equal(await wide(), 360);
    }
    await page.goto(`${service.origin}/#/orders`);
    await eventually(shown, odd.toReversed());
    assert.equal(await wide(), 360);
    await page.getByRole('button', { name: 'Complete order 3' }).click();
    assert.equal(await wide(), 360);
    assert.equal(await page.title(), 'Orders · Animal Store');
    assert.equal(await page.locator('img').count(), 0);
  });

  it('no name changes the direction of the sentence it is in', async (t) => {
    const [page] = (await open(t, '/', ['A\u2069\u202Eb\u2066'])) ?? [];
    if (!page) return;
    await signIn(page);
    await page.getByRole('button', { name: /^Reserve/ }).click();
    const notice = page.locator('.notice p');
    await notice.waitFor();
    assert.equal(
      await notice.textContent(),
      '“\u2068Ab\u2069” is reserved. Order 1 is open. See open orders',
    );
  });
});
