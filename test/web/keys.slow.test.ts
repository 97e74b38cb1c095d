import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, eventually, openPage, signIn } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';
import { button, names, openConsole, order, place, refresh, row } from './support/console.ts';

async function keyWith(service: Service, scopes: readonly string[], name = 'till 3'): Promise<string> {
  const { text } = await service.call('POST', '/v1/keys', { body: { name, scopes } });
  const { key } = JSON.parse(text) as { key: string };
  await eventually(() => works(service, key, '/v1/keys/current'), 200);
  return key;
}

const works = async (service: Service, key: string, path = '/v1/pets') =>
  (await service.call('GET', path, { key })).status;

describe('The keys', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('are created, shown once in groups, copied, changed elsewhere, rotated and revoked', async (t) => {
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
    await button(page, 'Create key').click();
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
    await eventually(() => works(service, key), 200);
    assert.equal(await works(service, key, '/v1/store/orders'), 403);
    await button(page, 'I have it').click();
    await eventually(() => page.locator('.secret').count(), 0);
    const shown = await page.locator('body').textContent();
    assert.equal(shown?.includes(key), false, 'it is nowhere on the page any more');
    const { text } = await service.call('GET', '/v1/keys');
    assert.match(text, /"name":"shop window"/, 'stored with single spaces');
    const facts = page.locator('.is-key', { hasText: 'shop window' });
    await facts.first().getByText('See animals', { exact: true }).waitFor();

    const [{ id }] = JSON.parse(text) as [{ id: string }];
    await service.call('PATCH', `/v1/keys/${id}`, { body: { name: 'shop window 2' } });
    await refresh(opened);
    await facts.getByText(/ · made today .* · changed by key env-\w+ · ends /).waitFor();
    await eventually(() => names(page), ['shop window 2']);

    await button(page, /^Rotate .*shop window/).click();
    await page.getByRole('heading', { name: /^The key for .*shop window/ }).waitFor();
    const next = (await page.locator('.secret code span').allInnerTexts()).join('');
    assert.notEqual(next, key);
    await facts.getByText(/^Replaced; still works until .* · rotated by key env-\w+$/).waitFor();
    await eventually(() => works(service, next), 200);

    await button(page, /^Revoke .*shop window/)
      .first()
      .click();
    await button(page, 'Keep it').click();
    assert.equal(await works(service, next), 200);
    await button(page, /^Revoke .*shop window/)
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await facts.getByText(/^Revoked today.* by key env-/).waitFor();
    await eventually(() => works(service, next), 401);
    assert.equal(page.url().includes('anst_'), false);
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
    await eventually(() => names(page), ['رقم ٣', hostile]);
    assert.equal(await page.locator('.is-key img').count(), 0);
    await place(page, 'Orders').click();
    await eventually(
      () => page.locator('.order-note').allInnerTexts(),
      ['<script>alert(1)</script>\u202e321'],
    );
    // The direction of a note ends with it.
    assert.equal(await page.locator('bdi.order-note').count(), 1);
  });

  it('that only see show nothing to press, and say why', async (t) => {
    const service = await startService(t);
    for (const name of ['Rex', 'Luna'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
    await order(service, 1);
    const key = await keyWith(service, ['pets:read', 'store:read']);
    const page = await openPage(t, service.origin);
    if (!page) return;
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
    await signIn(page, key);
    await eventually(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.row button').count(), 0);
    assert.equal(await button(page, 'Add an animal').count(), 0);
    assert.deepEqual(await page.locator('.nav a').allInnerTexts(), ['Animals', 'Orders', 'Categories']);
    await page.locator('.me').getByText('till 3').waitFor();
    await row(page, 'Luna').getByRole('link').click();
    await page
      .getByText('Your key does not allow you to reserve and sell, or to add, edit and remove animals.')
      .waitFor();
    assert.deepEqual(await page.locator('.panel-foot button').allInnerTexts(), []);
    await page.keyboard.press('Escape');
    await place(page, 'Orders').click();
    await eventually(() => names(page), ['Rex']);
    assert.equal(await page.locator('.row button').count(), 0);
    await place(page, 'Categories').click();
    await eventually(() => names(page), ['Dogs']);
    assert.equal(await page.locator('.row button, .inline-form').count(), 0);
    await page.goto(`${service.origin}/#/keys`);
    await page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
    assert.deepEqual(refused, [], 'nothing is asked for that the key does not open');
  });

  it('that only sell, or only see animals, open their part', async (t) => {
    const service = await startService(t);
    for (const name of ['Rex', 'Luna'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1, note: 'for Ms Lee' } });
    const page = await openPage(t, service.origin);
    if (!page) return;
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
    await signIn(page, await keyWith(service, ['pets:read']));
    await eventually(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.tab .count').count(), 0, 'nobody counts for it');
    await button(page, 'Sign out').click();
    await signIn(page, await keyWith(service, ['store:write']));
    await page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
    await place(page, 'Orders').click();
    await eventually(() => names(page), ['Animal 1']);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByRole('heading', { name: /^No order has/ }).waitFor();
    await page.getByRole('searchbox').fill('lee');
    await eventually(() => names(page), ['Animal 1']);
    await button(page, 'Complete order 1').click();
    await page.getByText('Completed').last().waitFor();
    assert.deepEqual(refused, []);
  });

  it('of this device goes on with the new one when it is rotated, in every tab that keeps it', async (t) => {
    const service = await startService(t);
    const key = await keyWith(service, ['*'], 'owner');
    const page = await openPage(t, `${service.origin}/#/keys`, { isolated: true });
    if (!page) return;
    await page.getByLabel('API key').fill(key);
    await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
    await button(page, 'Sign in').click();
    await page.locator('.is-key', { hasText: 'This device' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.origin}/#/keys`);
    await other.locator('.is-key', { hasText: 'This device' }).waitFor();

    await button(page, /^Rotate .*owner/).click();
    await page.getByText(/^You are signed in with it from now on/).waitFor();
    const next = (await page.locator('.secret code span').allInnerTexts()).join('');
    await eventually(() => page.evaluate('Object.values(localStorage)'), [next]);
    const old = page.locator('.is-key', { hasText: 'Replaced' });
    await old.waitFor();
    assert.equal(await old.getByText('This device').count(), 0);
    await button(page, 'I have it').click();

    await old.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText(/^It is the old one, which was replaced/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.locator('.is-key', { hasText: 'Revoked' }).waitFor();
    await eventually(() => page.evaluate('document.activeElement.id'), 'view-title');
    await eventually(() => works(service, key), 401);
    for (const tab of [page, other]) {
      await place(tab, 'Animals').click();
      await tab.getByRole('heading', { name: 'No animals yet' }).waitFor();
      assert.equal(await tab.getByRole('heading', { name: 'Sign in again' }).count(), 0);
    }
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
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
    await eventually(() => names(page), ['display']);
    const listed = JSON.parse((await service.call('GET', '/v1/keys')).text) as { id: string }[];
    await service.call('DELETE', `/v1/keys/${listed[0]?.id}`);
    await keyWith(service, ['pets:read'], 'till 5');
    await refresh(opened);
    await page.locator('.is-key', { hasText: 'Revoked today' }).waitFor();
    assert.deepEqual(await names(page), ['display']);
    await button(page, '1 new key – show').click();
    await eventually(() => names(page), ['till 5', 'display']);
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
