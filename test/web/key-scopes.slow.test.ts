import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, inConsole, link, message, names, place, state } from './support/console.ts';
import { dialog, edit, keyRow, keyWith, LOOK_ONLY, pages, shownSecret, TILL, works } from './support/keys.ts';
import { action, namesIn, reserve } from './support/orders.ts';
import { panel } from './support/panel.ts';

/** A shop with Rex, reserved, and Luna, for a person with a key of these scopes. */
const shopFor = (scopes: readonly string[], name?: string, path = '/#/animals?status=all') => ({
  animals: ['Rex', 'Luna'],
  path,
  prepare: async (service: Service) => {
    await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
    await reserve(service, 1, 'for Ms Lee');
  },
  key: (service: Service) => keyWith(service, scopes, name),
});

const rowButtons = (page: Page) => page.locator('.page :is(.row, .page-head) button').allInnerTexts();
const notAllowed = (page: Page) =>
  page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
const confirm = (page: Page, what: string) =>
  dialog(page, new RegExp(`^${what}`)).getByRole('button', { name: what });

describe('Keys that people sign in with', { concurrency: 2 }, () => {
  after(closeBrowser);

  inConsole('that only look show nothing to press, and say why', shopFor(LOOK_ONLY), async (opened) => {
    const { page, front, refused } = opened;
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
    await link(page, 'Luna').click();
    await panel(page, 'Luna').waitFor();
    assert.equal(await page.locator('.panel-foot button').count(), 0);
    await page.goto(`${front.origin}/#/keys`);
    await notAllowed(page);
    await page.getByText(/You are signed in as .*till 3.* \(Look only\)/).waitFor();
    assert.deepEqual(refused, []);
    await button(page, 'Use another key').click();
    await page.getByLabel('API key').waitFor();
  });

  /** As it is read out, in groups. */
  const readOut = async (service: Service) => {
    const key = await keyWith(service, TILL, 'Anna');
    return ` ${key.slice(0, 5)} ${key.slice(5).replaceAll(/.{4}/g, '$& ')}`;
  };
  const till = { ...shopFor(TILL), key: readOut };
  inConsole('of a till sell and reserve, and change nothing else', till, async ({ page, front, refused }) => {
    await eventuallyEqual(() => rowButtons(page), ['Reserve', 'Sell', 'Cancel', 'Sell']);
    assert.equal(await button(page, /^Menu of .*Anna/).count(), 1);
    await action(page, 'Sell', 'Rex').click();
    await message(page, 'Rex is sold.');
    await eventuallyEqual(() => state(page, 'Rex'), 'Sold');
    await place(page, 'Categories').click();
    await eventuallyEqual(() => names(page), ['Dogs', 'All animals']);
    assert.deepEqual(await rowButtons(page), []);
    await page.goto(`${front.origin}/#/animals?animal=2`);
    await panel(page, 'Luna').getByRole('button', { name: /^Sell/ }).waitFor();
    assert.equal(await button(page, /^(?:Edit|Remove|Add animals)$/).count(), 0);
    assert.deepEqual(refused, []);
  });

  inConsole('with one scope open their part', shopFor(['pets:read']), async ({ page, service, refused }) => {
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.tabs b').count(), 0, 'nobody counts for it');
    await page.reload();
    await signIn(page, await keyWith(service, ['store:write']));
    await notAllowed(page);
    await place(page, 'Orders').click();
    await eventuallyEqual(() => namesIn(page, 'Reserved'), ['Animal 1']);
    assert.deepEqual(refused, []);
  });

  const kept = { ...shopFor(['*'], 'owner', '/#/keys'), keep: true, isolated: true };
  inConsole('go on with the new one after a rotation, in every tab', kept, async ({ page, service, key }) => {
    await keyRow(page, 'this key').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await keyRow(other, 'this key').waitFor();
    await edit(page, 'owner');
    await button(page, 'Rotate').click();
    await page.getByText(/^You get a new key, and this device goes on with it\./).waitFor();
    await confirm(page, 'Rotate').click();
    await page.getByText(/^You are signed in with it from now on\./).waitFor();
    const next = await shownSecret(page);
    await eventuallyEqual(() => page.evaluate('Object.values(localStorage)'), [next]);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => keyRow(page, 'owner').count(), 2);
    await keyRow(page, 'until tomorrow').getByRole('button').click();
    assert.equal(await keyRow(page, 'until tomorrow').getByText('this key').count(), 0);
    await button(page, 'Revoke').click();
    await page.getByText(/The key that has replaced it works on\./).waitFor();
    await confirm(page, 'Revoke').click();
    await eventuallyEqual(() => works(service, key), 401);
    for (const tab of [page, other]) {
      await place(tab, 'Animals').click();
      await eventuallyEqual(() => names(tab), ['Luna']);
      assert.equal(await dialog(tab, /^Sign in again/).count(), 0);
    }
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
  });

  const owner = shopFor(['*'], 'owner', '/#/keys');
  inConsole(
    'that are revoked ask for another one, and the page goes on',
    owner,
    async ({ page, service }) => {
      await edit(page, 'owner');
      await button(page, 'Revoke').click();
      await page
        .getByText(/^It is the key of this device: you will have to sign in with another one\./)
        .waitFor();
      await confirm(page, 'Revoke').click();
      const again = dialog(page, /^Sign in again/);
      await again.getByText('it was revoked or has expired').waitFor();
      for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
      await again.getByLabel('API key').fill(await keyWith(service, ['*'], 'office'));
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      await button(page, '1 new key – show').click();
      await eventually(
        async () => (await keyRow(page, 'office').innerText()).includes('this key'),
        'its row',
      );
    },
  );
});
