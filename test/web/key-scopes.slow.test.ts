import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { button, names, order, place, row, signOut } from './support/console.ts';
import { keyWith, shownSecret, works } from './support/keys.ts';

describe('Keys that people sign in with', { concurrency: 2 }, () => {
  after(closeBrowser);

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
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
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
    await eventuallyEqual(() => names(page), ['Rex']);
    assert.equal(await page.locator('.row button').count(), 0);
    await place(page, 'Categories').click();
    await eventuallyEqual(() => names(page), ['Dogs', 'All categories']);
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
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    assert.equal(await page.locator('.tab .count').count(), 0, 'nobody counts for it');
    await signOut(page);
    await signIn(page, await keyWith(service, ['store:write']));
    await page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
    await place(page, 'Orders').click();
    await eventuallyEqual(() => names(page), ['Animal 1']);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByRole('heading', { name: /^No order for/ }).waitFor();
    await page.getByRole('searchbox').fill('lee');
    await eventuallyEqual(() => names(page), ['Animal 1']);
    await button(page, /^Sell /).click();
    await eventuallyEqual(
      async () => (await service.call('GET', '/v1/store/orders/1')).text.includes('completed'),
      true,
    );
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
    await page.locator('.key-row', { hasText: 'This device' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.origin}/#/keys`);
    await other.locator('.key-row', { hasText: 'This device' }).waitFor();

    await button(page, /^Rotate .*owner/).click();
    await page.getByText(/^You are signed in with it from now on/).waitFor();
    const next = await shownSecret(page);
    await eventuallyEqual(() => page.evaluate('Object.values(localStorage)'), [next]);
    const old = page.locator('.key-row', { hasText: 'replaced by' });
    await old.waitFor();
    assert.equal(await old.getByText('This device').count(), 0);
    await button(page, 'I have it').click();

    await old.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText(/^It is the old one, which was replaced/).waitFor();
    await button(page, 'Revoke key').click();
    await page.locator('.key-row', { hasText: 'Revoked by' }).waitFor();
    await eventuallyEqual(() => page.evaluate('document.activeElement.id'), 'view-title');
    await eventuallyEqual(() => works(service, key), 401);
    for (const tab of [page, other]) {
      await place(tab, 'Animals').click();
      await tab.getByRole('heading', { name: 'No animals yet' }).waitFor();
      assert.equal(await tab.getByRole('heading', { name: 'Sign in again' }).count(), 0);
    }
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
  });
});
