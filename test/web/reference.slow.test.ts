import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage } from '../support/browser.ts';
import { withParts } from '../support/openapi.ts';
import { startService } from '../support/service/service.ts';
import { inReference } from './support/reference.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { content?: Record<string, { examples?: object }> }>>;
}

describe('The API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  inReference('shows every operation, and in guides what all share', {}, async (page, service) => {
    const { text } = await service.call('GET', '/openapi.json');
    const { components, tags, paths } = withParts(JSON.parse(text));
    const operations = Object.values<object>(paths).flatMap((methods): Described[] => Object.values(methods));
    assert.ok(operations.length >= 7);
    const words = (id: string) => page.locator(`section#${id} .words`).innerText();
    const guides = await page.locator('.guide .words').allInnerTexts().then(String);
    for (const { operationId, parameters, responses } of operations) {
      const own = await words(operationId);
      const codes = Object.entries(responses).flatMap(([status, { content }]) => {
        const examples = Object.keys(content?.['application/json']?.examples ?? {});
        return examples.length > 0 ? examples : [status];
      });
      for (const told of [...parameters.map(({ name }) => name), ...codes])
        assert.ok(own.includes(told) || guides.includes(told), `${operationId} ${told}`);
      assert.equal(await page.locator(`.toc a[href="#${operationId}"]`).count(), 1);
    }
    assert.match(await words('updateOrder'), /order_closed/);
    assert.doesNotMatch(await words('updateOrder'), /unauthorized|internal_error/, 'only in the guide');
    assert.match(await words('createOrder'), /Location/);
    for (const name of Object.keys(components.schemas)) await page.locator(`#schema-${name}`).waitFor();
    for (const name of Object.keys(components.headers))
      assert.ok(['DeprecationLink', 'Location'].includes(name) || guides.includes(name), name);
    const groups = await page.locator('.toc-group').allInnerTexts();
    const names = tags.map(({ name }: { name: string }) => name);
    assert.deepEqual(groups.join(' ').toLowerCase(), ['guides', ...names, 'schemas'].join(' '));
    assert.equal(await page.getByText(/console shows .* as Reserved/).count(), 1);
  });

  inReference('guides tell what the document says, once it can be loaded', {}, async (page, service) => {
    const { text } = await service.call('GET', '/openapi.json');
    const body = text
      .replaceAll('"maximum":100,"default":20', '"maximum":77,"default":33')
      .replaceAll('"pets:read"', '"pets:look"')
      .replaceAll('for 24 hours', 'for 25 hours')
      .replaceAll('"412":', '"419":');
    await page.route('**/openapi.json', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The reference could not be loaded' }).waitFor();
    await page.getByRole('link', { name: 'OpenAPI document' }).waitFor();
    await page.route('**/openapi.json', (route) => route.fulfill({ body }));
    await page.getByRole('button', { name: 'Try again' }).click();
    const guide = (id: string) => page.locator(`.guide#${id}`).innerText();
    assert.match(await guide('paging'), /A list returns 33 items; limit asks for 1 to 77\./);
    assert.match(await guide('authentication'), /pets:look/);
    assert.match(await guide('idempotency'), /for 25 hours/);
    assert.match(await guide('conditional-requests'), /419 precondition_failed/);
  });

  const config = { baseUrl: 'https://shop.example/v1', stagingBaseUrl: 'https://staging.shop.example/v1' };
  inReference('marks stability once, and says where it is', { config }, async (page) => {
    const mark = (id: string) => page.locator(`section#${id} .stability`).innerText();
    assert.equal(await mark('getPet'), 'Deprecated, removed on 5 December 2030');
    assert.equal(await mark('listOrders'), 'Experimental');
    assert.equal(await mark('listPets'), 'Stable');
    assert.equal(await page.locator('section#listOrders abbr').count(), 0);
    assert.notEqual(await page.locator('section#listPets abbr').count(), 0);
    const servers = await page.locator('.servers code').allInnerTexts();
    assert.deepEqual(servers, [config.baseUrl, config.stagingBaseUrl]);
    await page.getByText(`Version 1.0.0, at ${new URL(page.url()).host}/v1`).waitFor();
    assert.equal(await page.getByText('You are here').count(), 0, 'it is at neither of them');
    assert.equal(await page.locator('.brand .mark').count(), 0);
  });

  it('leads to the document without JavaScript', async (t) => {
    const { origin } = await startService(t);
    for (const path of ['/docs', '/']) {
      const page = await openPage(t, origin + path, { javaScriptEnabled: false, isolated: true });
      const link = page?.getByRole('link', { name: /OpenAPI document/ });
      if (link) assert.equal(await link.getAttribute('href'), 'openapi.json');
    }
  });
});
