import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { KEY, type Service } from '../support/service/service.ts';
import * as ui from './support/console.ts';
import * as keys from './support/keys.ts';
import { cells, namesIn, reserve } from './support/orders.ts';
import { inPanel, openPanel, panel } from './support/panel.ts';

const { dialog, edit, keyRow, keyWith, LOOK_ONLY, role, TILL, works } = keys;
const { button, clickFor, inConsole, message, names, place, signOut } = ui;

const OWN = ['pets:write', 'store:read'];
const BOSS = ['pets:write', 'store:write', 'events:read', 'keys:write'];
const path = '/#/keys';
const dayOf = (days: number, year?: 'numeric') =>
  keys.inDays(days).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', ...(year && { year }) });

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

after(closeBrowser);

describe('The keys', { concurrency: 2 }, () => {
  const copying = { path, isolated: true, permissions: ['clipboard-read', 'clipboard-write'] };
  inConsole('are made as a till for a year, shown once, and copied', copying, async ({ page, service }) => {
    await button(page, 'New key').click();
    const panel = page.getByRole('dialog', { name: 'New key' });
    await panel.locator('input:focus').waitFor();
    await button(page, 'Make the key').click();
    await panel.getByText('Say who or what it is for.').waitFor();
    assert.equal(await role(page, 'Till').isChecked(), true);
    assert.equal(await panel.getByLabel('Ends').inputValue(), 'year');
    await panel.getByLabel('Name').fill('  till   4 ');
    await button(page, 'Make the key').dblclick();
    const shown = dialog(page, /^The key for .*till 4/);
    await shown.getByText(/It is shown this once/).waitFor();
    await page.keyboard.press('Escape');
    const key = await keys.shownSecret(page);
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await button(page, 'I have it').click();
    await shown.waitFor({ state: 'detached' });
    assert.equal(`${await page.content()} ${page.url()}`.includes(key), false);
    await message(page, 'The key “till 4” was made.');
    const wanted = ['Till: sees, reserves and sells', dayOf(365, 'numeric'), 'never'];
    await eventuallyEqual(() => cells(keyRow(page, 'till 4')), wanted);
    const stored = (await service.call('GET', '/v1/keys')).json as unknown[];
    assert.equal(stored.length, 1, 'a double click makes one key');
  });

  const managed = {
    path,
    prepare: async (service: Service) => {
      await keyWith(service, OWN, 'till 1', 16);
      await keyWith(service, ['*'], 'office');
    },
    key: (service: Service) => keyWith(service, BOSS, 'boss', 14),
  };
  inConsole('are changed in name or role, and in nothing else', managed, async ({ page }) => {
    // Two weeks before its end, a key is marked.
    const banner = page.getByRole('banner');
    await banner.getByText(`This key ends on ${dayOf(14)}`).waitFor();
    assert.equal(await keyRow(page, 'boss').locator('.mark').innerText(), dayOf(14));
    assert.equal(await keyRow(page, 'till 1').locator('.mark').count(), 0);
    assert.equal(await keyRow(page, 'office').getByRole('button').count(), 0, 'it allows more');
    await edit(page, 'till 1');
    const form = dialog(page, /^Edit .*till 1/);
    await form.getByText('Adds, edits and removes animals, sees orders').waitFor();
    const choices = (await form.locator('.choice').allInnerTexts()).map((text) => text.split('\n')[0]);
    assert.deepEqual(choices, ['As it is', 'Till', 'Look only']);
    assert.equal(await role(page, 'As it is').isChecked(), true);
    await form.getByLabel('Name').fill('till 2');
    await role(page, 'Look only').check();
    await page.getByLabel('Ends').selectOption('Never');
    await page.keyboard.press('Enter');
    await message(page, 'The key “till 2” was changed.');
    await form.waitFor({ state: 'detached' });
    const shown = async () => (await cells(keyRow(page, 'till 2'))).slice(0, 2);
    await eventuallyEqual(shown, ['Look only', 'never']);
    // What the key of this page loses is gone at once.
    await edit(page, 'boss');
    await page.getByText(/what you take away is gone here at once/).waitFor();
    await role(page, 'Till').check();
    await button(page, 'Save').click();
    await notAllowed(page);
  });

  const hostile = '<img src=x onerror=alert(1)> "رقم ٣"';
  const window = {
    path,
    prepare: async (service: Service) => {
      for (const name of [hostile, 'shop window']) await keyWith(service, TILL, name);
    },
  };
  inConsole('are rotated and revoked after a question, and no row moves', window, async (opened) => {
    const { page, front } = opened;
    await eventuallyEqual(() => names(page), ['shop window', hostile]);
    assert.equal(await page.locator('.row img').count(), 0, 'a name is text');
    const changes = () => front.requests.filter((line) => /^(?:POST|DELETE) /.test(line)).length;
    await edit(page, 'shop window');
    await inPanel(page, 'Rotate').click();
    const rotation = dialog(page, /^Rotate .*shop window/);
    await rotation.getByText(/^You get a new key\. The old one stops working tomorrow at/).waitFor();
    await rotation.locator('button:focus', { hasText: 'Keep' }).waitFor();
    await page.keyboard.press('Enter');
    await inPanel(page, 'Revoke').click();
    const revocation = dialog(page, /^Revoke .*shop window/);
    const loss = /^Whatever uses this key stops working at once\. .* This cannot be undone\.$/;
    await revocation.getByText(loss).waitFor();
    await page.keyboard.press('Escape');
    await inPanel(page, 'Revoke').locator(':scope:focus').waitFor();
    assert.equal(changes(), 0, 'nothing happens without an answer');
    await inPanel(page, 'Rotate').click();
    await rotation.getByRole('button', { name: 'Rotate' }).click();
    await dialog(page, /^The key for .*shop window/).waitFor();
    await button(page, 'I have it').click();
    await eventuallyEqual(() => keyRow(page, 'shop window').count(), 2);
    await keyRow(page, 'until tomorrow at').getByRole('button').click();
    assert.equal(await inPanel(page, 'Rotate').count(), 0, 'it was replaced already');
    await inPanel(page, 'Revoke').click();
    await clickFor(revocation.getByRole('button', { name: 'Revoke' }), 'The key “shop window” was revoked.');
    await eventuallyEqual(() => keyRow(page, 'revoked').count(), 1);
    assert.deepEqual(await names(page), ['shop window', 'shop window', hostile]);
  });
});

describe('Keys that people sign in with', { concurrency: 2 }, () => {
  inConsole('show what their scopes allow, and nothing else', shopFor(LOOK_ONLY), async (opened) => {
    const { page, service, front, refused } = opened;
    const signInWith = async (key: string, address: string) => {
      await page.goto(`${front.origin}/${address}`);
      await page.reload();
      await signIn(page, key);
    };
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.deepEqual(await keys.pages(page), ['Animals', 'Orders', 'Activity', 'Categories']);
    const views = { Orders: ['Rex'], Categories: ['Dogs', 'All animals'], Animals: ['Luna'] };
    for (const [view, found] of Object.entries(views)) {
      await place(page, view).click();
      await eventuallyEqual(() => names(page), found);
      assert.deepEqual(await rowButtons(page), [], view);
    }
    assert.equal(await button(page, 'Add animals').count(), 0);
    await openPanel(page, 'Luna');
    assert.equal(await page.locator('.panel-foot button').count(), 0);
    await page.goto(`${front.origin}/#/keys`);
    await notAllowed(page);
    await page.getByText(/You are signed in as .*till 3.* \(Look only\)/).waitFor();
    // A till, whose key is typed as it is read out, in groups.
    const key = await keyWith(service, TILL, 'Anna');
    const readOut = ` ${key.slice(0, 5)} ${key.slice(5).replaceAll(/.{4}/g, '$& ')}`;
    await signInWith(readOut, '#/animals?status=all&animal=2');
    await eventuallyEqual(() => rowButtons(page), ['Reserve', 'Sell', 'Cancel', 'Sell']);
    assert.equal(await button(page, /^Menu of .*Anna/).count(), 1);
    await clickFor(inPanel(page, 'Sell'), 'Luna is sold.');
    assert.equal(await button(page, /^(?:Edit|Remove|Add animals)$/).count(), 0);
    await signInWith(await keyWith(service, ['pets:read']), '#/animals?status=all');
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.tabs b').count(), 0, 'nobody counts for it');
    await openPanel(page, 'Rex');
    assert.doesNotMatch(await panel(page, 'Rex').innerText(), /recorded/, 'it does not know');
    const orders = await keyWith(service, ['store:write']);
    await signInWith(orders, '#/animals?status=all');
    await notAllowed(page);
    // Without an address, it is led to what it may see.
    await signInWith(orders, '');
    await eventuallyEqual(() => namesIn(page, 'Sold'), ['Animal 2']);
    assert.deepEqual(refused, []);
  });

  const kept = { ...shopFor(['*'], 'owner', '/#/keys'), keep: true, isolated: true };
  inConsole('go on after a rotation, in every tab; once revoked ask for another', kept, async (opened) => {
    const { page, service, key } = opened;
    await keyRow(page, 'this key').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await keyRow(other, 'this key').waitFor();
    await edit(page, 'owner');
    await button(page, 'Rotate').click();
    await page.getByText(/^You get a new key, and this device goes on with it\./).waitFor();
    await confirm(page, 'Rotate').click();
    await page.getByText(/^You are signed in with it from now on\./).waitFor();
    const next = await keys.shownSecret(page);
    await eventuallyEqual(() => page.evaluate('Object.values(localStorage)'), [next]);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => keyRow(page, 'owner').count(), 2);
    await service.call('DELETE', `/v1/keys/1`);
    await eventuallyEqual(() => works(service, key), 401);
    for (const tab of [page, other]) {
      await place(tab, 'Animals').click();
      await eventuallyEqual(() => names(tab), ['Luna']);
      assert.equal(await dialog(tab, /^Sign in again/).count(), 0);
    }
    await page.reload();
    await place(page, 'Keys').click();
    await edit(page, 'owner');
    await button(page, 'Revoke').click();
    const warning = /^It is the key of this device: you will have to sign in with another one\./;
    await page.getByText(warning).waitFor();
    await confirm(page, 'Revoke').click();
    const again = dialog(page, /^Sign in again/);
    await again.getByText('it was revoked or has expired').waitFor();
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await again.getByLabel('API key').fill(await keyWith(service, ['*'], 'office'));
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await button(page, '1 new key – show').click();
    await keyRow(page, 'office').getByText('this key').waitFor();
  });
});

describe('Signing in', { concurrency: 2 }, () => {
  const stored = (page: Page) => page.evaluate('Object.values(localStorage)');
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const keep = (page: Page) => page.getByRole('checkbox', { name: 'Keep me signed in on this device' });
  const form = (page: Page) => page.getByLabel('API key').waitFor();
  const openTab = async (page: Page, view: string) => {
    const tab = await page.context().newPage();
    await tab.goto(new URL(view, page.url()).href);
    return tab;
  };

  const rex = { animals: ['Rex'], isolated: true };
  inConsole('rejects a wrong key, and keeps no good one unless asked to', rex, async ({ page }) => {
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.deepEqual(await stored(page), []);
    await form(await openTab(page, ''));
    await signOut(page);
    assert.equal(await page.getByLabel('API key').inputValue(), '');
    assert.equal(await page.locator('.row').count(), 0, 'nothing of the store stays on the page');
    assert.equal(await keep(page).isChecked(), false);
    await page.getByText(/^Leave it off on a device that others use/).waitFor();
    // Password managers understand the form.
    const fields = page.locator('form input:not([type=checkbox])');
    const purposes = await fields.evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')));
    assert.deepEqual(purposes, ['username', 'current-password']);
    for (const [key, problem] of [
      ['', 'Enter your API key.'],
      ['anst_wrong', 'This key is not accepted.'],
    ] as const) {
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByText(problem).waitFor();
    }
    // Where nothing can be stored, nothing is offered.
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', { get() { throw Error(); } })`);
    await page.reload();
    await form(page);
    assert.equal(await keep(page).count(), 0);
    await signIn(page);
  });

  inConsole('lasts until one tab ends it, answer or not', { isolated: true }, async ({ page, front }) => {
    await signOut(page);
    for (const end of [
      async () => {
        await button(page, 'Try again').click();
        await signOut(page);
      },
      () => button(page, 'Use another key').click(),
    ]) {
      await keep(page).check();
      await signIn(page);
      assert.deepEqual(await stored(page), [KEY]);
      const orders = await openTab(page, '#/orders');
      await title(orders, 'Orders');
      front.fault(/^GET \/v1\//, { status: 503 });
      await page.reload();
      await page.getByText('The store is not available right now.').waitFor();
      front.fault();
      await end();
      for (const tab of [page, orders]) await form(tab);
      assert.deepEqual(await stored(page), []);
    }
  });
});
