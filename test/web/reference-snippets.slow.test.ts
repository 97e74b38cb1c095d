import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { closeBrowser } from '../support/browser.ts';
import { KEY, startService } from '../support/service/service.ts';
import { openReference, operationsOf, tryForm } from './support/reference.ts';

const run = promisify(execFile);
const LARGEST = '9223372036854775807';
const env = { ...process.env, API_KEY: KEY };

/** The status that this command gets. It is stopped then: a stream has no end. */
async function statusOf(curl: string): Promise<string | undefined> {
  const command = spawn('bash', ['-c', `exec ${curl} -s -i`], { env });
  const [first] = await once(command.stdout, 'data');
  command.kill();
  return /^HTTP\/1.1 (\d+)/.exec(`${first}`)?.[1];
}

describe('The snippets of the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('have an example for each part of the path, in every language', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    for (const { operationId: id, path } of await operationsOf(service)) {
      const section = page.locator(`section#${id}`);
      const url = new RegExp(`${service.origin}/v1${path.replaceAll(/\{\w+\}/g, '\\d+')}['\\s]`);
      for (const language of ['curl', 'fetch']) {
        await section.getByRole('button', { name: language, exact: true }).click();
        assert.match(await section.getByLabel(`${id} as ${language}`, { exact: true }).innerText(), url);
      }
    }
  });

  it('of the guides work as they are', async (t) => {
    const service = await startService(t);
    // Up to the animal of the examples.
    for (const name of ['Rex', 'Max', 'Tom'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    const page = await openReference(t, service);
    if (!page) return;
    const ids = await page.locator('.guide').evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(ids.length, 8);
    const statuses: Record<string, string> = { 'conditional-requests': '412', idempotency: '201' };
    for (const id of ids) {
      const curl = await page.getByLabel(`${id} as curl`, { exact: true }).innerText();
      assert.equal(await statusOf(curl), statuses[id] ?? '200', curl);
    }
    assert.match(
      await page.getByLabel('events as curl', { exact: true }).innerText(),
      /^curl -N .*\/v1\/events/,
    );
  });

  it('are the same as curl and in JavaScript, which do what they say, and can be copied', async (t) => {
    const service = await startService(t);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await openReference(t, service, '', { permissions, isolated: true });
    if (!page) return;
    const create = await tryForm(page, 'createPet');
    const body = `{"name": "It's $HOME \\"x\\"", "categoryId": ${LARGEST}}`;
    await create.getByLabel('API key').fill(KEY);
    await create.getByLabel('Body', { exact: true }).fill(body);
    const section = page.locator('section#createPet');
    await section.getByRole('button', { name: 'Copy curl snippet of createPet', exact: true }).click();
    const curl = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(!curl.includes(KEY), 'a snippet never has the key');
    assert.equal(await section.getByLabel('createPet as curl', { exact: true }).innerText(), curl);
    const created = (id: number) =>
      `{"id":${id},"name":"It's $HOME \\"x\\"","categoryId":${LARGEST},"status":"available"}`;
    const { stdout: printed } = await run('bash', ['-c', `${curl} -s`], { env });
    assert.equal(printed, created(1));
    await section.getByRole('button', { name: 'fetch' }).click();
    const script = await section.getByLabel('createPet as fetch', { exact: true }).innerText();
    const program = `const apiKey = ${JSON.stringify(KEY)};\n${script}`;
    const { stdout: output } = await run(process.execPath, ['--input-type=module', '-e', program]);
    assert.equal(output.trim(), `201 ${created(2)}`);
  });

  it('send what is typed, and the curl snippet sends the same', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    await service.call('POST', '/v1/pets', { body: { name: ' Rex', categoryId: 7 } });
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('name', { exact: true }).fill(' R');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('[{"id":1,"name":" Rex"').waitFor();

    const create = await tryForm(page, 'createPet');
    await create.getByLabel('Body', { exact: true }).fill(`@${import.meta.filename}`);
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText('400 Bad Request').waitFor();
    const answer = await create.getByLabel('Body of the answer').innerText();
    const curl = await page.getByLabel('createPet as curl', { exact: true }).innerText();
    const { stdout } = await run('bash', ['-c', `${curl} -s`], { env });
    assert.equal(stdout, answer, 'a body that begins with @ is not the name of a file');
  });
});
