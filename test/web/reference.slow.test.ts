import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { openReference, operationsOf } from './support/reference.ts';

describe('The API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('shows every operation of the document in its group, and what holds for all of them in the guides', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const { components, tags } = JSON.parse((await service.call('GET', '/openapi.json')).text);
    const operations = await operationsOf(service);
    assert.ok(operations.length >= 7);
    const guides = await page.locator('.guide').allInnerTexts().then(String);
    for (const { operationId, parameters, responses } of operations) {
      const text = await page.locator(`section#${operationId}`).innerText();
      for (const { name } of parameters)
        assert.ok(text.includes(name) || guides.includes(name), `${operationId} ${name}`);
      for (const [status, { content }] of Object.entries(responses)) {
        const codes = Object.keys(content?.['application/json']?.examples ?? {});
        if (codes.length === 0) assert.ok(text.includes(status), `${operationId} ${status}`);
        for (const code of codes) assert.ok(guides.includes(code), `${operationId} ${code}`);
      }
      assert.equal(await contents.locator(`a[href="#${operationId}"]`).count(), 1);
    }
    const closing = await page.locator('section#updateOrder .answers').innerText();
    assert.match(closing, /order_closed/);
    assert.doesNotMatch(closing, /unauthorized|internal_error/, 'common errors are in the guide only');
    for (const name of Object.keys(components.schemas)) await page.locator(`#schema-${name}`).waitFor();
    const others = ['DeprecationLink', 'Location'];
    for (const name of Object.keys(components.headers).filter((one) => !others.includes(one)))
      assert.ok(guides.includes(name), name);
    assert.match(await page.locator('section#createOrder .answers').innerText(), /Location/);
    assert.deepEqual(
      (await contents.locator('.contents-group').allInnerTexts()).map((name) => name.toLowerCase()),
      ['guides', ...tags.map(({ name }: { name: string }) => name), 'schemas'],
    );
  });

  it('guides tell what the document says: another limit, scope, status or header text is another guide', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    const { text } = await service.call('GET', '/openapi.json');
    const changed = text
      .replaceAll('"maximum":100,"default":20', '"maximum":77,"default":33')
      .replaceAll('"pets:read"', '"pets:look"')
      .replaceAll('for 24 hours', 'for 25 hours')
      .replaceAll('"412":', '"419":');
    await page.route('**/openapi.json', (route) => route.fulfill({ body: changed }));
    await page.reload();
    const guide = (id: string) => page.locator(`.guide#${id}`).innerText();
    assert.match(await guide('paging'), /A list returns 33 items; limit asks for 1 to 77\./);
    assert.match(await guide('authentication'), /pets:look/);
    assert.match(await guide('idempotency'), /for 25 hours/);
    assert.match(await guide('conditional-requests'), /419 precondition_failed/);
  });

  it('marks the stability of an operation once, with the date of its removal and its replacement', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    const mark = (id: string) => page.locator(`section#${id} .heading .stability`).allInnerTexts();
    assert.deepEqual(await mark('getPet'), ['Deprecated, removed on 5 December 2030']);
    assert.deepEqual(await mark('listOrders'), ['Experimental']);
    assert.deepEqual(await mark('listPets'), ['Stable']);
    assert.equal(await page.locator('section#updateOrder .newer').count(), 0);
    assert.notEqual(await page.locator('section#listPets .newer').count(), 0);
    await page.locator('section#getPet').getByRole('link', { name: 'GET /pets' }).first().click();
    await eventuallyEqual(async () => page.url().split('#')[1], 'listPets');
  });

  it('shows both deployments and says which one it is, even below a prefix', async (t) => {
    const service = await startService(t, {
      config: { baseUrl: 'https://shop.example/v1', stagingBaseUrl: 'https://staging.shop.example/v1' },
    });
    const page = await openReference(t, service);
    if (!page) return;
    assert.deepEqual(await page.locator('.servers li code').allInnerTexts(), [
      'https://shop.example/v1',
      'https://staging.shop.example/v1',
    ]);
    assert.equal(await page.getByText('You are here').count(), 0);
    assert.equal(await page.locator('.badge.staging').count(), 0);
  });

  it('shows its own address if no deployment is configured', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    assert.deepEqual(await page.locator('.servers li code').allInnerTexts(), [`${service.origin}/v1`]);
    assert.equal(await page.getByText('You are here').count(), 1);
  });

  it('leads to the document without JavaScript', async (t) => {
    const service = await startService(t);
    for (const path of ['/docs', '/']) {
      const page = await openPage(t, service.origin + path, { javaScriptEnabled: false, isolated: true });
      if (!page) return;
      const link = page.getByRole('link', { name: /OpenAPI document/ });
      assert.equal(await link.getAttribute('href'), 'openapi.json');
    }
  });

  it('says when the document cannot be loaded, and tries again', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    await page.route('**/openapi.json', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The reference could not be loaded' }).waitFor();
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
  });
});
