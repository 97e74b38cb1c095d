import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { closeBrowser, eventually, openPage } from '../support/browser.ts';
import { KEY, startService } from '../support/service.ts';

const run = promisify(execFile);
const LARGEST = '9223372036854775807';
const PET = `{"id":1,"name":"Rex","categoryId":${LARGEST},"status":"available"}`;

describe('The API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('shows every operation of the document in its group, with everything that belongs to it', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByText('Pets', { exact: true }).first().waitFor();
    const { paths, components } = JSON.parse((await service.call('GET', '/openapi.json')).text);
    const operations = Object.values(paths).flatMap((path) => Object.values(path as object));
    assert.ok(operations.length >= 7);
    for (const { operationId, parameters, responses } of operations) {
      const section = page.locator(`section#${operationId}`);
      const text = await section.innerText();
      for (const { name } of parameters) assert.ok(text.includes(name), `${operationId} ${name}`);
      for (const status of Object.keys(responses)) {
        assert.equal(
          await section.locator('.response-status', { hasText: status }).count(),
          1,
          `${operationId} ${status}`,
        );
      }
      assert.equal(await contents.locator(`a[href="#${operationId}"]`).count(), 1);
    }
    for (const name of Object.keys(components.schemas)) await page.locator(`#schema-${name}`).waitFor();
    assert.equal(
      await contents.locator('.contents-group').allInnerTexts().then(String),
      'Pets,Store,Schemas',
    );
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

  it('sends a call and shows status, headers, time and the exact answer', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#createPet`);
    if (!page) return;
    const create = page.getByRole('form', { name: 'Try createPet' });
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

    const list = page.getByRole('form', { name: 'Try listPets' });
    await list.getByLabel('limit').fill('0');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('400 Bad Request').waitFor();
    await list.getByLabel('limit').fill('');
    await list.getByLabel('id', { exact: true }).fill('1, 9');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    assert.equal(await list.getByLabel('Body of the answer').innerText(), `[${PET}]`);

    const get = page.getByRole('form', { name: 'Try getPet' });
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
    const create = page.getByRole('form', { name: 'Try createPet' });
    const body = `{"name": "It's $HOME \\"x\\"", "categoryId": ${LARGEST}}`;
    await create.getByLabel('API key').fill(KEY);
    await create.getByLabel('Body').fill(body);
    await page.getByRole('button', { name: 'Copy curl snippet of createPet' }).click();
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
    const script = await section.getByLabel('createPet as fetch').innerText();
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
    const list = page.getByRole('form', { name: 'Try listPets' });
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('name', { exact: true }).fill(' R');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('[{"id":1,"name":" Rex"').waitFor();

    const create = page.getByRole('form', { name: 'Try createPet' });
    await create.getByLabel('Body').fill(`@${import.meta.filename}`);
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText('400 Bad Request').waitFor();
    const answer = await create.getByLabel('Body of the answer').innerText();
    const curl = await page.getByLabel('createPet as curl').innerText();
    const { stdout } = await run('bash', ['-c', `${curl} -s`], { env: { ...process.env, API_KEY: KEY } });
    assert.equal(stdout, answer, 'a body that begins with @ is not the name of a file');
  });

  it('does not show an earlier answer when there is none', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    const list = page.getByRole('form', { name: 'Try listPets' });
    await list.getByLabel('API key').fill(KEY);
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    await list.getByLabel('API key').fill('日');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('The service did not answer.').waitFor();
    assert.equal(await list.getByText('200 OK').count(), 0);
  });

  it('leads where its links say, also from the results of a search and with any fragment', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#%`);
    if (!page) return;
    const search = page.getByLabel('Search this page');
    await search.fill('pet_not_found operation_removed');
    const sections = () =>
      page.locator('section.operation').evaluateAll((found) => found.map(({ id }) => id));
    await eventually(sections, ['getPet']);
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
    await page.locator('#getPet').getByRole('link', { name: 'GET /pets', exact: true }).first().click();
    const top = () =>
      page.evaluate('document.getElementById("listPets")?.getBoundingClientRect().top ?? 9999');
    await eventually(async () => Math.abs(Number(await top())) < 100, true);
    assert.equal(await search.inputValue(), '');
  });

  it('has headings to link to and a search within the page', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs#updateOrder`);
    if (!page) return;
    await page.getByRole('heading', { name: 'Complete or cancel an order' }).waitFor();
    const top = () => page.evaluate('document.getElementById("updateOrder").getBoundingClientRect().top');
    await eventually(async () => Math.abs(Number(await top())) < 100, true);
    const search = page.getByLabel('Search this page');
    await search.fill('order_closed');
    await eventually(
      () => page.locator('section.operation').evaluateAll((found) => found.map(({ id }) => id)),
      ['updateOrder'],
    );
    await search.fill('no such thing');
    await page.getByText('Nothing found.').waitFor();
    await search.fill('');
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
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
