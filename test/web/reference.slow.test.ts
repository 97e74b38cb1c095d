import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage } from '../support/browser.ts';
import { KEY, startService } from '../support/service.ts';

const run = promisify(execFile);
const LARGEST = '9223372036854775807';
const PET = `{"id":1,"name":"Rex","categoryId":${LARGEST},"status":"available"}`;

describe('The API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('shows every operation of the document in its group, and what holds for all of them in the guides', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByText('Pets', { exact: true }).first().waitFor();
    const { paths, components, tags } = JSON.parse((await service.call('GET', '/openapi.json')).text);
    const operations = Object.values(paths).flatMap((path) => Object.values(path as object));
    assert.ok(operations.length >= 7);
    const guides = await page.locator('.guide').allInnerTexts().then(String);
    for (const { operationId, parameters, responses } of operations) {
      const section = page.locator(`section#${operationId}`);
      const text = await section.innerText();
      for (const { name } of parameters)
        assert.ok(text.includes(name) || guides.includes(name), `${operationId} ${name}`);
      for (const [status, { content }] of Object.entries<{ content?: object }>(responses)) {
        const codes = Object.keys(
          (content as { 'application/json'?: { examples?: object } })?.['application/json']?.examples ?? {},
        );
        if (codes.length === 0) assert.ok(text.includes(status), `${operationId} ${status}`);
        for (const code of codes) assert.ok(guides.includes(code), `${operationId} ${code}`);
      }
      assert.equal(await contents.locator(`a[href="#${operationId}"]`).count(), 1);
    }
    const closing = await page.locator('section#updateOrder .answers').innerText();
    assert.match(closing, /order_closed/);
    assert.doesNotMatch(closing, /unauthorized|internal_error/, 'common errors are in the guide only');
    for (const name of Object.keys(components.schemas)) await page.locator(`#schema-${name}`).waitFor();
    for (const name of Object.keys(components.headers).filter((one) => one !== 'DeprecationLink'))
      assert.ok(guides.includes(name), name);
    assert.deepEqual(
      (await contents.locator('.contents-group').allInnerTexts()).map((name) => name.toLowerCase()),
      ['guides', ...tags.map(({ name }: { name: string }) => name), 'schemas'],
    );
  });

  it('shows the answer beside the call, and marks an operation once', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#updateOrder`);
    if (!page) return;
    const section = page.locator('section#updateOrder');
    assert.match(
      await section.getByLabel('Example answer of updateOrder', { exact: true }).innerText(),
      /"status": "completed"/,
    );
    await section.getByRole('button', { name: '409' }).click();
    assert.match(
      await section.getByLabel('Example answer of updateOrder', { exact: true }).innerText(),
      /order_closed/,
    );
    assert.equal(await section.getByText('Experimental').count(), 1);
    assert.equal(await section.locator('.newer').count(), 0);
    assert.notEqual(await page.locator('section#listPets .newer').count(), 0);
  });

  it('leads to the next page of an answer', async (t) => {
    const service = await startService(t);
    for (const name of ['Rex', 'Luna', 'Milo'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const list = page.getByRole('form', { name: 'Try listPets', exact: true });
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('limit').fill('2');
    await list.getByRole('button', { name: 'Send GET' }).click();
    const isInView = async () => {
      const { y = 0, height = 0 } = (await list.getByLabel('Body of the answer').boundingBox()) ?? {};
      return y + height <= (page.viewportSize()?.height ?? 0);
    };
    await eventually(isInView, true);
    await list.getByRole('button', { name: 'Next page' }).click();
    await list.getByText('[{"id":1,"name":"Rex"').waitFor();
    assert.equal(await list.getByRole('button', { name: 'Next page' }).count(), 0);
  });

  it('shows deprecation with its date and its replacement, and marks what is experimental', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const getPet = page.locator('section#getPet');
    await getPet.getByText('It will be removed on 5 December 2030.').waitFor();
    await getPet.getByRole('link', { name: 'GET /pets' }).first().click();
    await eventually(async () => page.url().split('#')[1], 'listPets');
    assert.equal(await getPet.locator('.heading .badge.deprecated').count(), 1);
    assert.equal(await page.locator('section#listOrders .heading .badge.experimental').count(), 1);
    assert.equal(await page.locator('section#listPets .heading .badge').count(), 0);
  });

  it('shows both deployments and says which one it is, also below a prefix', async (t) => {
    const service = await startService(t, {
      config: { baseUrl: 'https://shop.example/v1', stagingBaseUrl: 'https://staging.shop.example/v1' },
    });
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const servers = page.locator('.servers li');
    await eventually(
      () => servers.locator('code').allInnerTexts(),
      ['https://shop.example/v1', 'https://staging.shop.example/v1'],
    );
    assert.equal(await page.getByText('You are here').count(), 0);
    assert.equal(await page.locator('.badge.staging').count(), 0);
  });

  it('shows its own address if no deployment is configured', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    await eventually(() => page.locator('.servers li code').allInnerTexts(), [`${service.origin}/v1`]);
    assert.equal(await page.getByText('You are here').count(), 1);
  });

  it('sends a call and shows status, headers, time and the exact answer', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#createPet`);
    if (!page) return;
    const create = page.getByRole('form', { name: 'Try createPet', exact: true });
    await create.getByLabel('API key').fill(KEY);
    await create.getByLabel('Body').fill(`{"name": "Rex", "categoryId": ${LARGEST}}`);
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText('201 Created').waitFor();
    assert.equal(await create.getByLabel('Body of the answer').innerText(), PET);
    await create.getByText(/\d headers/).click();
    assert.match(await create.getByLabel('Headers of the answer').innerText(), /^x-request-id: \S+$/m);
    assert.match(await create.locator('.answer-line').innerText(), /\d ms/);
    await create.getByRole('button', { name: 'Indent' }).click();
    assert.ok(
      (await create.getByLabel('Body of the answer').innerText()).includes(`  "categoryId": ${LARGEST},\n`),
    );

    const list = page.getByRole('form', { name: 'Try listPets', exact: true });
    await list.getByLabel('limit').fill('0');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('400 Bad Request').waitFor();
    await list.getByLabel('limit').fill('');
    await list.getByLabel('id', { exact: true }).fill('1, 9');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    assert.equal(await list.getByLabel('Body of the answer').innerText(), `[${PET}]`);

    const get = page.getByRole('form', { name: 'Try getPet', exact: true });
    await get.getByRole('button', { name: 'Send GET' }).click();
    await get.getByText('Fill in petId first.').waitFor();
  });

  it('shows the same call as curl, which does what it says, and copies it', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      isolated: true,
    });
    if (!page) return;
    const create = page.getByRole('form', { name: 'Try createPet', exact: true });
    const body = `{"name": "It's $HOME \\"x\\"", "categoryId": ${LARGEST}}`;
    await create.getByLabel('API key').fill(KEY);
    await create.getByLabel('Body').fill(body);
    await page.getByRole('button', { name: 'Copy curl snippet of createPet', exact: true }).click();
    const curl = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(!curl.includes(KEY), 'a snippet never has the key');
    const env = { ...process.env, API_KEY: KEY };
    const { stdout: printed } = await run('bash', ['-c', `${curl} -s`], { env });
    assert.equal(
      printed,
      `{"id":1,"name":"It's $HOME \\"x\\"","categoryId":${LARGEST},"status":"available"}`,
    );
    const section = page.locator('section#createPet');
    await section.getByRole('button', { name: 'fetch' }).click();
    const script = await section.getByLabel('createPet as fetch', { exact: true }).innerText();
    const program = `const apiKey = ${JSON.stringify(KEY)};\n${script}`;
    const { stdout: output } = await run(process.execPath, ['--input-type=module', '-e', program]);
    assert.equal(
      output.trim(),
      `201 {"id":2,"name":"It's $HOME \\"x\\"","categoryId":${LARGEST},"status":"available"}`,
    );
  });

  it('sends what is typed, and its curl snippet sends the same', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    await service.call('POST', '/v1/pets', { body: { name: ' Rex', categoryId: 7 } });
    const list = page.getByRole('form', { name: 'Try listPets', exact: true });
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('name', { exact: true }).fill(' R');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('[{"id":1,"name":" Rex"').waitFor();

    const create = page.getByRole('form', { name: 'Try createPet', exact: true });
    await create.getByLabel('Body').fill(`@${import.meta.filename}`);
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText('400 Bad Request').waitFor();
    const answer = await create.getByLabel('Body of the answer').innerText();
    const curl = await page.getByLabel('createPet as curl', { exact: true }).innerText();
    const { stdout } = await run('bash', ['-c', `${curl} -s`], { env: { ...process.env, API_KEY: KEY } });
    assert.equal(stdout, answer, 'a body that begins with @ is not the name of a file');
  });

  it('does not show an earlier answer when there is none', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const list = page.getByRole('form', { name: 'Try listPets', exact: true });
    await list.getByLabel('API key').fill(KEY);
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    await list.getByLabel('API key').fill('日');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('The service did not answer.').waitFor();
    assert.equal(await list.getByText('200 OK').count(), 0);
  });

  const top = (page: Page, id: string) =>
    page.evaluate(`document.getElementById('${id}')?.getBoundingClientRect().top ?? 9999`);

  it('leads where its links say, with any fragment, and marks where one is', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#%`);
    if (!page) return;
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
    await page.locator('#getPet').getByRole('link', { name: 'GET /pets', exact: true }).first().click();
    await eventually(async () => Math.abs(Number(await top(page, 'listPets'))) < 100, true);
    await eventually(() => page.locator('.contents [aria-current]').innerText(), 'List animals\nGET');
  });

  it('finds guides, operations, errors and schemas from the keyboard, with the words marked', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#updateOrder`);
    if (!page) return;
    await eventually(async () => Math.abs(Number(await top(page, 'updateOrder'))) < 100, true);
    for (const [word, id] of Object.entries({
      paging: 'paging',
      authentication: 'authentication',
      order_closed: 'error-order_closed',
      'cancel order': 'updateOrder',
    })) {
      await page.keyboard.press('/');
      await page.keyboard.type(word);
      await page.locator('.result[aria-selected=true]').waitFor();
      assert.notEqual(await page.locator('.result mark').count(), 0);
      await page.keyboard.press('Enter');
      await eventually(async () => Math.abs(Number(await top(page, id))) < 300, true);
      assert.equal(await page.getByLabel('Search this page').inputValue(), '');
    }
    await page.keyboard.press('/');
    await page.keyboard.type('zebra (crossing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.results').count(), 0);
  });

  it('leads to the document without JavaScript', async (t) => {
    const service = await startService(t);
    for (const path of ['/docs', '/']) {
      const page = await openPage(t, service.origin + path, {
        javaScriptEnabled: false,
        isolated: true,
      });
      if (!page) return;
      const link = page.getByRole('link', { name: /OpenAPI document/ });
      assert.equal(await link.getAttribute('href'), 'openapi.json');
    }
  });

  it('says when the document cannot be loaded, and tries again', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    await page.route('**/openapi.json', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The reference could not be loaded' }).waitFor();
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
  });
});
