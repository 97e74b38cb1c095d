import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { button, names, openConsole, place, refresh } from './support/console.ts';
import { keyRow, keyWith, shownSecret, works } from './support/keys.ts';

describe('The keys', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('say at the field what is missing, and the focus goes there', async (t) => {
    const { page } = (await openConsole(t, [], { path: '/#/keys' })) ?? {};
    if (!page) return;
    const name = page.getByLabel('Who or what is it for?');
    await button(page, 'Create key').click();
    await page.locator('#key-name:focus[aria-invalid=true]').waitFor();
    await page.locator('.field', { has: name }).getByText('Say who or what it is for.').waitFor();
    await name.fill('till 4');
    for (const scope of ['See animals', 'See orders'])
      await page.getByRole('checkbox', { name: scope }).uncheck();
    await button(page, 'Create key').click();
    const scopes = page.getByRole('group', { name: 'What it allows' });
    await scopes.locator('input:focus[aria-invalid=true]').waitFor();
    await scopes.getByText('Choose what it allows.').waitFor();
    assert.equal(await page.getByText('Say who or what it is for.').count(), 0);
  });

  it('are created, shown once in groups, copied, rotated and revoked', async (t) => {
    const opened = await openConsole(t, [], {
      path: '/#/keys',
      isolated: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    if (!opened) return;
    const { page, service } = opened;
    await page.getByLabel('Who or what is it for?').fill('  shop   window ');
    for (const name of ['See orders', 'Reserve and sell'])
      await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('checkbox', { name: 'See the metrics of the service' }).check();
    await button(page, 'Create key').dblclick();
    await page.getByRole('heading', { name: /^The key for .*shop window/ }).waitFor();
    const groups = await page.locator('.secret code span').allInnerTexts();
    assert.deepEqual(
      groups.map(({ length }) => length),
      [5, ...Array(9).fill(4)],
    );
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    const key = groups.join('');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await eventuallyEqual(() => works(service, key), 200);
    assert.equal(await works(service, key, '/v1/store/orders'), 403);
    await button(page, 'I have it').click();
    await eventuallyEqual(() => page.locator('.secret').count(), 0);
    const shown = await page.locator('body').textContent();
    assert.equal(shown?.includes(key), false, 'it is nowhere on the page any more');
    const [stored, ...others] = (await service.call('GET', '/v1/keys')).json as { name: string }[];
    assert.equal(stored?.name, 'shop window', 'stored with single spaces');
    assert.equal(others.length, 0, 'a double click makes one key');
    await keyRow(page, 'shop window').getByText('See animals, see the metrics of the service').waitFor();

    await button(page, /^Rotate .*shop window/).click();
    await page.getByRole('heading', { name: /^The key for .*shop window/ }).waitFor();
    const next = await shownSecret(page);
    assert.notEqual(next, key);
    const [young, old] = [keyRow(page, 'id 2'), keyRow(page, 'id 1')];
    await old.getByText(/ · replaced by key env-\w+, works until tomorrow at /).waitFor();
    assert.equal(await old.getByRole('button', { name: /^Rotate/ }).count(), 0);
    await eventuallyEqual(() => works(service, next), 200);

    await young.getByRole('button', { name: /^Revoke/ }).click();
    const warning = page.getByRole('alertdialog', { name: /^Revoke .*shop window.*\?$/ });
    await warning.getByText(/^Whatever uses this key stops at once\..* This cannot be undone\.$/).waitFor();
    await warning.locator('button:focus', { hasText: 'Keep' }).waitFor();
    await page.keyboard.press('Escape');
    await young.locator('button:focus', { hasText: 'Revoke' }).waitFor();
    assert.equal(await works(service, next), 200);
    await page.keyboard.press('Enter');
    await button(page, 'Revoke key').click();
    await young.getByText(/^Revoked by key env-\w+ today at .* · /).waitFor();
    await eventuallyEqual(() => works(service, next), 401);
    assert.equal(await young.getByRole('button').count(), 0);
    // The next time, it is with the others that do not work.
    await place(page, 'Animals').click();
    await place(page, 'Keys').click();
    await eventuallyEqual(() => names(page), ['shop window\nid 1']);
    await page.getByText('Revoked keys').click();
    await page
      .locator('.over-list li', { hasText: 'shop window id 2' })
      .getByText(/^Revoked by/)
      .waitFor();
    assert.equal(page.url().includes('anst_'), false);
  });

  it('are renamed and narrowed in their row, and say who has done it', async (t) => {
    const opened = await openConsole(t, [], {
      path: '/#/keys',
      prepare: (service) => keyWith(service, ['pets:write', 'store:read'], 'till 1'),
    });
    if (!opened) return;
    const { page, service } = opened;
    await button(page, /^Edit .*till 1/).click();
    const form = page.getByRole('form', { name: /^Edit .*till 1/ });
    await form.locator('input:focus').waitFor();
    assert.deepEqual(await form.locator('.check label').allInnerTexts(), [
      'See animals',
      'Add, edit and remove animals',
      'See orders',
    ]);
    for (const name of ['See animals', 'See orders']) await form.getByRole('checkbox', { name }).uncheck();
    assert.equal(await form.getByRole('checkbox', { name: /^Add, edit/ }).isChecked(), false);
    await button(page, 'Save').click();
    await form.getByText('It must allow something. Revoke it instead.').waitFor();
    await form.getByRole('checkbox', { name: 'See animals' }).check();
    await form.getByLabel('Name').fill('till 2');
    await page.keyboard.press('Enter');
    const changed = keyRow(page, 'till 2');
    await changed.getByText('See animals', { exact: true }).waitFor();
    await changed.getByText(/ · made by key env-\w+ today at .* · changed by key env-\w+$/).waitFor();
    await changed.locator('button:focus', { hasText: 'Edit' }).waitFor();
    const [{ name, scopes }] = (await service.call('GET', '/v1/keys')).json as [
      { name: string; scopes: string },
    ];
    assert.deepEqual({ name, scopes }, { name: 'till 2', scopes: ['pets:read'] });
  });

  it('manage only keys that allow no more than they do', async (t) => {
    const service = await startService(t);
    await keyWith(service, ['*'], 'office');
    await keyWith(service, ['pets:read'], 'window');
    const key = await keyWith(service, ['pets:write', 'keys:write'], 'manager');
    const page = await openPage(t, `${service.origin}/#/keys`);
    if (!page) return;
    await signIn(page, key);
    await button(page, /^Edit .*window/).waitFor();
    assert.equal(await keyRow(page, 'office').getByRole('button').count(), 0);
    assert.deepEqual(await page.locator('.side .check label').allInnerTexts(), [
      'See animals',
      'Add, edit and remove animals',
      'Manage keys',
    ]);
  });

  it('whose names are markup or change the direction show as they are', async (t) => {
    const hostile = '<img src=x onerror=alert(1)> "till"';
    const opened = await openConsole(t, ['Rex'], {
      path: '/#/keys',
      prepare: async (service) => {
        await keyWith(service, ['pets:read'], hostile);
        await keyWith(service, ['pets:read'], 'رقم ٣');
        const note = '<script>alert(1)</script>\u202e321';
        await service.call('POST', '/v1/store/orders', { body: { petId: 1, note } });
      },
    });
    if (!opened) return;
    const { page } = opened;
    await eventuallyEqual(() => names(page), ['رقم ٣\nid 2', `${hostile}\nid 1`]);
    assert.equal(await page.locator('.key-row img').count(), 0);
    await place(page, 'Orders').click();
    // The direction of a note ends with it.
    await eventuallyEqual(
      () => page.locator('.row-note bdi').allInnerTexts(),
      ['<script>alert(1)</script>\u202e321'],
    );
  });

  it('that others change show on the page that is being looked at, and move no row', async (t) => {
    const opened = await openConsole(t, [], {
      path: '/#/keys',
      prepare: async (service) => {
        await keyWith(service, ['pets:read'], 'display');
      },
    });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['display\nid 1']);
    const listed = JSON.parse((await service.call('GET', '/v1/keys')).text) as { id: string }[];
    await service.call('DELETE', `/v1/keys/${listed[0]?.id}`);
    await keyWith(service, ['pets:read'], 'till 5');
    await refresh(opened);
    await page.getByText(/^Revoked by key env-\w+ today/).waitFor();
    assert.deepEqual(await names(page), ['display\nid 1']);
    await button(page, '1 new key – show').click();
    await eventuallyEqual(() => names(page), ['till 5\nid 2', 'display\nid 1']);
  });

  it('are accepted as they are read out, in groups', async (t) => {
    const service = await startService(t);
    const key = await keyWith(service, ['pets:read'], 'Anna');
    const page = await openPage(t, service.origin);
    if (!page) return;
    await signIn(page, ` ${key.slice(0, 5)} ${key.slice(5).replaceAll(/.{4}/g, '$& ')}`);
    await page.locator('.me').getByText('Anna').waitFor();
  });
});
