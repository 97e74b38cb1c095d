import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { addAnimals, button, message, names, place, row, state } from './support/console.ts';
import { dialog, edit, keyRow, keyWith, LOOK_ONLY, pages, shownSecret, TILL, works } from './support/keys.ts';
import { action, namesIn, reserve } from './support/orders.ts';

/** A service with Rex, reserved, and Luna. */
async function startShop(t: TestContext) {
  const service = await startService(t);
  await addAnimals(service, ['Rex', 'Luna']);
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
  await reserve(service, 1, 'for Ms Lee');
  return service;
}

/** What the service has refused the page: nothing may be asked for that the key does not open. */
function refusals(page: Page): readonly string[] {
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
  return refused;
}

const rowButtons = (page: Page) => page.locator('.page :is(.row, .page-head) button').allInnerTexts();
const notAllowed = (page: Page) =>
  page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();

describe('Keys that people sign in with', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('that only look show nothing to press, and say why', async (t) => {
    const service = await startShop(t);
    const page = await openPage(t, `${service.origin}/#/animals?status=all`);
    if (!page) return;
    const refused = refusals(page);
    await signIn(page, await keyWith(service, LOOK_ONLY));
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.deepEqual(await pages(page), ['Animals', 'Orders', 'Activity', 'Categories']);
    for (const [view, found] of [
      ['Orders', ['Rex']],
      ['Categories', ['Dogs', 'All animals']],
      ['Animals', ['Luna']],
    ] as const) {
      await place(page, view).click();
      await eventuallyEqual(() => names(page), [...found]);
      assert.deepEqual(await rowButtons(page), [], view);
    }
    assert.equal(await button(page, 'Add animals').count(), 0);
    await row(page, 'Luna').getByRole('link', { name: /Luna/ }).click();
    await page.getByRole('dialog', { name: 'Luna' }).waitFor();
    assert.equal(await page.locator('.panel-foot button').count(), 0);
    await page.goto(`${service.origin}/#/keys`);
    await notAllowed(page);
    await page.getByText(/You are signed in as .*till 3.* \(Look only\)/).waitFor();
    assert.deepEqual(refused, [], 'nothing is asked for that the key does not open');
    await button(page, 'Use another key').click();
    await page.getByLabel('API key').waitFor();
  });

  it('of a till sell and reserve, and change no animal and no category', async (t) => {
    const service = await startShop(t);
    const page = await openPage(t, `${service.origin}/#/animals?status=all`);
    if (!page) return;
    const refused = refusals(page);
    // As it is read out, in groups.
    const key = await keyWith(service, TILL, 'Anna');
    await signIn(page, ` ${key.slice(0, 5)} ${key.slice(5).replaceAll(/.{4}/g, '$& ')}`);
    await eventuallyEqual(() => rowButtons(page), ['Reserve', 'Sell', 'Cancel', 'Sell']);
    assert.equal(await button(page, /^Menu of .*Anna/).count(), 1);
    await action(page, 'Sell', 'Rex').click();
    await message(page, 'Rex is sold.');
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold');
    await place(page, 'Categories').click();
    await eventuallyEqual(() => names(page), ['Dogs', 'All animals']);
    assert.deepEqual(await rowButtons(page), []);
    await page.goto(`${service.origin}/#/animals?animal=2`);
    await page.getByRole('dialog', { name: 'Luna' }).getByRole('button', { name: /^Sell/ }).waitFor();
    assert.equal(await button(page, /^(?:Edit|Remove|Add animals)$/).count(), 0);
    assert.deepEqual(refused, []);
  });

  it('with one scope open their part', async (t) => {
    const service = await startShop(t);
    const page = await openPage(t, `${service.origin}/#/animals?status=all`);
    if (!page) return;
    const refused = refusals(page);
    await signIn(page, await keyWith(service, ['pets:read']));
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.tabs b').count(), 0, 'nobody counts for it');
    await page.reload();
    await signIn(page, await keyWith(service, ['store:write']));
    await notAllowed(page);
    await place(page, 'Orders').click();
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Animal 1']);
    assert.deepEqual(refused, []);
  });

  it('go on with the new one when they are rotated, in every tab that keeps them', async (t) => {
    const service = await startShop(t);
    const key = await keyWith(service, ['*'], 'owner');
    const page = await openPage(t, `${service.origin}/#/keys`, { isolated: true });
    if (!page) return;
    await page.getByLabel('API key').fill(key);
    await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
    await button(page, 'Sign in').click();
    await keyRow(page, 'this key').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.origin}/#/keys`);
    await keyRow(other, 'this key').waitFor();
    await edit(page, 'owner');
    await button(page, 'Rotate').click();
    const question = dialog(page, /^Rotate .*owner/);
    await question.getByText(/^You get a new key, and this device goes on with it\./).waitFor();
    await question.getByRole('button', { name: 'Rotate' }).click();
    await dialog(page, /^The key for .*owner/)
      .getByText(/^You are signed in with it from now on\./)
      .waitFor();
    const next = await shownSecret(page);
    await eventuallyEqual(() => page.evaluate('Object.values(localStorage)'), [next]);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => keyRow(page, 'owner').count(), 2);
    await keyRow(page, 'until tomorrow').getByRole('button').click();
    assert.equal(await keyRow(page, 'until tomorrow').getByText('this key').count(), 0);
    await button(page, 'Revoke').click();
    await page.getByText(/The key that has replaced it works on\./).waitFor();
    await dialog(page, /^Revoke/)
      .getByRole('button', { name: 'Revoke' })
      .click();
    await eventuallyEqual(() => works(service, key), 401);
    for (const tab of [page, other]) {
      await place(tab, 'Animals').click();
      await eventuallyEqual(() => names(tab), ['Luna']);
      assert.equal(await dialog(tab, /^Sign in again/).count(), 0);
    }
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
  });

  it('that are revoked ask for another one, and the page goes on where it was', async (t) => {
    const service = await startShop(t);
    const page = await openPage(t, `${service.origin}/#/keys`);
    if (!page) return;
    const other = await keyWith(service, ['*'], 'office');
    await signIn(page, await keyWith(service, ['*'], 'owner'));
    await edit(page, 'owner');
    await button(page, 'Revoke').click();
    await page
      .getByText(/^It is the key of this device: you will have to sign in with another one\./)
      .waitFor();
    await dialog(page, /^Revoke/)
      .getByRole('button', { name: 'Revoke' })
      .click();
    const again = dialog(page, /^Sign in again/);
    await again.getByText('it was revoked or has expired').waitFor();
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await again.getByLabel('API key').fill(other);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await eventually(async () => (await keyRow(page, 'office').innerText()).includes('this key'), 'its row');
  });
});
