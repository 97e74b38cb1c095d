import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, inConsole, message, names, place, refresh } from './support/console.ts';
import {
  dialog,
  edit,
  inDays,
  keyRow,
  keyWith,
  LOOK_ONLY,
  role,
  shownSecret,
  TILL,
  works,
} from './support/keys.ts';
import { cells } from './support/orders.ts';
import { inPanel } from './support/panel.ts';

interface Stored {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: string;
}

const OWN = ['pets:write', 'store:read'];
const BOSS = ['pets:write', 'store:write', 'events:read', 'keys:write'];
const path = '/#/keys';
const storedKeys = async (service: Service) => (await service.call('GET', '/v1/keys')).json as Stored[];
const dayOf = (days: number, year?: 'numeric') =>
  inDays(days).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', ...(year && { year }) });

describe('The keys', { concurrency: 2 }, () => {
  after(closeBrowser);

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
    const groups = await page.locator('.secret span').allInnerTexts();
    assert.deepEqual(
      groups.map(({ length }) => length),
      [5, ...Array(9).fill(4)],
    );
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    const key = groups.join('');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await eventuallyEqual(() => works(service, key), 200);
    assert.equal(await works(service, key, '/v1/keys'), 403);
    await button(page, 'I have it').click();
    await shown.waitFor({ state: 'detached' });
    assert.equal((await page.locator('body').textContent())?.includes(key), false);
    assert.equal(page.url().includes('anst_'), false);
    await message(page, 'The key “till 4” was made.');
    await eventuallyEqual(
      () => cells(keyRow(page, 'till 4')),
      ['Till: sees, reserves and sells', dayOf(365, 'numeric'), 'never'],
    );
    const [stored, ...others] = await storedKeys(service);
    assert.deepEqual([stored?.name, stored?.scopes], ['till 4', TILL], 'stored with single spaces');
    assert.equal(others.length, 0, 'a double click makes one key');
  });

  const ending = {
    path,
    prepare: (service: Service) => keyWith(service, ['*'], 'later', 16),
    key: (service: Service) => keyWith(service, ['*'], 'soon', 14),
  };
  inConsole('are marked two weeks before their end', ending, async ({ page }) => {
    await page
      .getByRole('banner')
      .getByText(`This key ends on ${dayOf(14)}`)
      .waitFor();
    assert.equal(await keyRow(page, 'soon').locator('.mark').innerText(), dayOf(14));
    assert.equal((await cells(keyRow(page, 'later')))[1], dayOf(16));
    assert.equal(await keyRow(page, 'later').locator('.mark').count(), 0);
  });

  const managed = {
    path,
    prepare: async (service: Service) => {
      await keyWith(service, OWN, 'till 1', 30);
      await keyWith(service, ['*'], 'office');
    },
    key: (service: Service) => keyWith(service, BOSS, 'boss'),
  };
  inConsole('are changed in name or role, and in nothing else', managed, async ({ page, service }) => {
    const stored = async () => {
      const till = (await storedKeys(service)).find(({ name }) => name.startsWith('till'));
      return [till?.name, till?.scopes, till?.expiresAt];
    };
    await keyRow(page, 'office').waitFor();
    assert.equal(await keyRow(page, 'office').getByRole('button').count(), 0, 'it allows more');
    const [, , expiresAt] = await stored();
    await edit(page, 'till 1');
    const form = dialog(page, /^Edit .*till 1/);
    await form.getByText('Adds, edits and removes animals, sees orders').waitFor();
    assert.deepEqual(
      await form.locator('.choice').evaluateAll((all) => all.map((one) => one.innerText.split('\n')[0])),
      ['As it is', 'Till', 'Look only'],
    );
    assert.equal(await role(page, 'As it is').isChecked(), true);
    await form.getByLabel('Name').fill('till 2');
    await page.keyboard.press('Enter');
    await message(page, 'The key “till 2” was changed.');
    await form.waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), ['till 2', OWN, expiresAt]);
    await edit(page, 'till 2');
    await role(page, 'Look only').check();
    await page.getByLabel('Ends').selectOption('Never');
    await button(page, 'Save').click();
    await eventuallyEqual(
      async () => (await cells(keyRow(page, 'till 2'))).slice(0, 2),
      ['Look only', 'never'],
    );
    assert.deepEqual(await stored(), ['till 2', LOOK_ONLY, undefined]);
    // What the key of this page loses is gone at once.
    await edit(page, 'boss');
    await page.getByText(/what you take away is gone here at once/).waitFor();
    await role(page, 'Till').check();
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
  });

  const window = { path, prepare: (service: Service) => keyWith(service, TILL, 'shop window') };
  inConsole('are rotated and revoked after a question', window, async ({ page, service, front }) => {
    const changes = () => front.requests.filter((line) => /^(?:POST|DELETE) /.test(line)).length;
    await edit(page, 'shop window');
    await inPanel(page, 'Rotate').click();
    const rotation = dialog(page, /^Rotate .*shop window/);
    await rotation
      .getByText(/^You get a new key\. The old one stops working tomorrow at \d\d:\d\d; until then put/)
      .waitFor();
    await rotation.locator('button:focus', { hasText: 'Keep' }).waitFor();
    await page.keyboard.press('Enter');
    await inPanel(page, 'Revoke').click();
    const revocation = dialog(page, /^Revoke .*shop window/);
    await revocation
      .getByText(/^Whatever uses this key stops working at once\. .* This cannot be undone\.$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await inPanel(page, 'Revoke').locator(':scope:focus').waitFor();
    assert.equal(changes(), 0, 'nothing happens without an answer');
    await inPanel(page, 'Rotate').click();
    await rotation.getByRole('button', { name: 'Rotate' }).click();
    await dialog(page, /^The key for .*shop window/).waitFor();
    const next = await shownSecret(page);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => works(service, next), 200);
    await eventuallyEqual(() => keyRow(page, 'shop window').count(), 2);
    await keyRow(page, 'until tomorrow at').getByRole('button').click();
    await inPanel(page, 'Revoke').waitFor();
    assert.equal(await inPanel(page, 'Rotate').count(), 0, 'it was replaced already');
    await page.keyboard.press('Escape');
    await keyRow(page, 'never').first().getByRole('button').click();
    await inPanel(page, 'Revoke').click();
    await revocation.getByRole('button', { name: 'Revoke' }).click();
    await message(page, 'The key “shop window” was revoked.');
    await eventuallyEqual(() => works(service, next), 401);
    assert.equal((await names(page)).length, 2, 'its row stays');
    assert.equal((await cells(keyRow(page, 'revoked')))[1], 'revoked');
    // Until the list is loaded again.
    await place(page, 'Animals').click();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    await place(page, 'Keys').click();
    await page.getByText('Revoked and ended keys').click();
    await page
      .locator('.ended li', { hasText: 'shop window' })
      .getByText(/revoked by .*env-\w+.* today at/)
      .waitFor();
    assert.equal((await names(page)).length, 1);
  });

  const hostile = '<img src=x onerror=alert(1)> "till"';
  const odd = {
    path,
    prepare: async (service: Service) => {
      for (const name of [hostile, 'رقم ٣']) await keyWith(service, LOOK_ONLY, name);
    },
  };
  inConsole('that others change move no row; hostile names are text', odd, async (opened) => {
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['رقم ٣', hostile]);
    assert.equal(await page.locator('.row img').count(), 0);
    await service.call('DELETE', '/v1/keys/1');
    await keyWith(service, TILL, 'till 5');
    await refresh(opened);
    await keyRow(page, 'revoked').waitFor();
    assert.deepEqual(await names(page), ['رقم ٣', hostile]);
    await button(page, '1 new key – show').click();
    await eventuallyEqual(() => names(page), ['till 5', 'رقم ٣']);
  });
});
