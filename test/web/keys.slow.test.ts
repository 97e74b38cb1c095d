import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { button, message, names, openConsole, refresh } from './support/console.ts';
import {
  dialog,
  edit,
  inDays,
  keyRow,
  keyWith,
  LOOK_ONLY,
  leaveAndReturn,
  role,
  shownSecret,
  TILL,
  works,
} from './support/keys.ts';
import { cells } from './support/orders.ts';

interface Stored {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: string;
}

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
const inAYear = () =>
  inDays(365).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

describe('The keys', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('are made as a till for a year, shown once in groups, and copied', async (t) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const opened = await openConsole(t, [], { path: '/#/keys', isolated: true, permissions });
    if (!opened) return;
    const { page, service } = opened;
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
      ['Till: sees, reserves and sells', inAYear(), 'never'],
    );
    const [stored, ...others] = (await service.call('GET', '/v1/keys')).json as Stored[];
    assert.deepEqual([stored?.name, stored?.scopes], ['till 4', TILL], 'stored with single spaces');
    assert.equal(others.length, 0, 'a double click makes one key');
  });

  it('are marked two weeks before their end, in the list and in the header of their own page', async (t) => {
    const service = await startService(t);
    const ends = { soon: 14, later: 16 } as const;
    const key = await keyWith(service, ['*'], 'soon', ends.soon);
    await keyWith(service, ['*'], 'later', ends.later);
    const page = await openPage(t, `${service.origin}/#/keys`);
    if (!page) return;
    await signIn(page, key);
    await page
      .getByRole('banner')
      .getByText(`This key ends on ${dayOf(inDays(ends.soon))}`)
      .waitFor();
    assert.equal(await keyRow(page, 'soon').locator('.mark').innerText(), dayOf(inDays(ends.soon)));
    assert.equal((await cells(keyRow(page, 'later')))[1], dayOf(inDays(ends.later)));
    assert.equal(await keyRow(page, 'later').locator('.mark').count(), 0);
  });

  it('are renamed without another change; a role replaces what they may do', async (t) => {
    const service = await startService(t);
    const OWN = ['pets:write', 'store:read'];
    await keyWith(service, OWN, 'till 1', 30);
    await keyWith(service, ['*'], 'office');
    const manager = await keyWith(
      service,
      ['pets:write', 'store:write', 'events:read', 'keys:write'],
      'boss',
    );
    const page = await openPage(t, `${service.origin}/#/keys`);
    if (!page) return;
    await signIn(page, manager);
    const stored = async () => {
      const all = (await service.call('GET', '/v1/keys')).json as Stored[];
      return all
        .filter(({ name }) => name.startsWith('till'))
        .map(({ name, scopes, expiresAt }) => ({ name, scopes, expiresAt }));
    };
    await keyRow(page, 'office').waitFor();
    assert.equal(await keyRow(page, 'office').getByRole('button').count(), 0, 'it allows more');
    const [before] = await stored();
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
    assert.deepEqual(await stored(), [{ ...before, name: 'till 2' }]);
    await edit(page, 'till 2');
    await role(page, 'Look only').check();
    await page.getByLabel('Ends').selectOption('Never');
    await button(page, 'Save').click();
    await eventuallyEqual(
      async () => (await cells(keyRow(page, 'till 2'))).slice(0, 2),
      ['Look only', 'never'],
    );
    const [{ scopes, expiresAt }] = (await stored()) as [Stored];
    assert.deepEqual([scopes, expiresAt], [LOOK_ONLY, undefined]);
    // What is the key of this page loses is gone at once.
    await edit(page, 'boss');
    await page.getByText(/what you take away is gone here at once/).waitFor();
    await role(page, 'Till').check();
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
  });

  it('are rotated and revoked after a question that says what happens', async (t) => {
    const opened = await openConsole(t, [], {
      path: '/#/keys',
      prepare: (service) => keyWith(service, TILL, 'shop window'),
    });
    if (!opened) return;
    const { page, service, front } = opened;
    const changes = () => front.requests.filter((line) => /^(?:POST|DELETE) /.test(line)).length;
    const panelButton = (name: string) => page.locator('.panel').getByRole('button', { name });
    await edit(page, 'shop window');
    await panelButton('Rotate').click();
    const rotation = dialog(page, /^Rotate .*shop window/);
    await rotation
      .getByText(/^You get a new key\. The old one stops working tomorrow at \d\d:\d\d; until then put/)
      .waitFor();
    await rotation.locator('button:focus', { hasText: 'Keep' }).waitFor();
    await page.keyboard.press('Enter');
    await panelButton('Revoke').click();
    const revocation = dialog(page, /^Revoke .*shop window/);
    await revocation
      .getByText(/^Whatever uses this key stops working at once\. .* This cannot be undone\.$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await panelButton('Revoke').locator(':scope:focus').waitFor();
    assert.equal(changes(), 0, 'nothing happens without an answer');
    await panelButton('Rotate').click();
    await rotation.getByRole('button', { name: 'Rotate' }).click();
    await dialog(page, /^The key for .*shop window/).waitFor();
    const next = await shownSecret(page);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => works(service, next), 200);
    await eventuallyEqual(() => keyRow(page, 'shop window').count(), 2);
    const old = keyRow(page, 'until tomorrow at');
    await old.getByRole('button').click();
    await panelButton('Revoke').waitFor();
    assert.equal(await panelButton('Rotate').count(), 0, 'it was replaced already');
    await page.keyboard.press('Escape');
    await keyRow(page, 'never').first().getByRole('button').click();
    await panelButton('Revoke').click();
    await revocation.getByRole('button', { name: 'Revoke' }).click();
    await message(page, 'The key “shop window” was revoked.');
    await eventuallyEqual(() => works(service, next), 401);
    assert.equal((await names(page)).length, 2, 'its row stays');
    assert.equal((await cells(keyRow(page, 'revoked')))[1], 'revoked');
    await leaveAndReturn(page);
    await page.getByText('Revoked and ended keys').click();
    await page
      .locator('.ended li', { hasText: 'shop window' })
      .getByText(/revoked by .*env-\w+.* today at/)
      .waitFor();
    assert.equal((await names(page)).length, 1);
  });

  it('that others change show here and move no row; hostile names show as they are', async (t) => {
    const hostile = '<img src=x onerror=alert(1)> "till"';
    const opened = await openConsole(t, [], {
      path: '/#/keys',
      prepare: async (service) => {
        await keyWith(service, LOOK_ONLY, hostile);
        await keyWith(service, LOOK_ONLY, 'رقم ٣');
      },
    });
    if (!opened) return;
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
