import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { KEY } from '../support/service/service.ts';
import { inReference, send, tryForm } from './support/reference.ts';

const run = promisify(execFile);
const LARGEST = '9223372036854775807';

/** What a person does with a snippet: the key takes the place of the dots. */
const withKey = (snippet: string): string => snippet.replace('…', KEY);
const runScript = (script: string) => run(process.execPath, ['--input-type=module', '-e', script]);

/** The status that a command gets. It is stopped then: a stream has no end. */
async function statusOfCurl(snippet: string): Promise<string | undefined> {
  const command = spawn('bash', ['-c', `${withKey(snippet)} -s -i`], { detached: true });
  const [first] = await once(command.stdout, 'data');
  if (command.pid !== undefined && command.exitCode === null) process.kill(-command.pid);
  return /^HTTP\/1.1 (\d+)/.exec(`${first}`)?.[1];
}

/** The statuses that scripts get, run one after the other, each as a module of its own. */
async function statusesOf(snippets: readonly string[]): Promise<readonly (string | undefined)[]> {
  const modules = snippets.map((one, at) => `data:text/javascript,${encodeURIComponent(withKey(one))}#${at}`);
  const imports = modules.map((module) => `await import(${JSON.stringify(module)}); console.log('END');`);
  const { stdout } = await runScript(imports.join('\n'));
  return stdout.split('END\n').map((answer) => answer.split(' ')[0]);
}

/** Every snippet in this language as the page shows it, with the id of its guide or operation. */
async function snippetsOf(page: Page, language: string): Promise<readonly [id: string, text: string][]> {
  for (const button of await page.getByRole('button', { name: language, exact: true }).all())
    await button.click();
  const shown = page.locator(`pre[aria-label$=" as ${language}"]`);
  return shown.evaluateAll((all) =>
    all.map(({ ariaLabel, textContent }) => [ariaLabel?.split(' ')[0] ?? '', textContent]),
  );
}

describe('Calls from the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  inReference('all run when pasted as they are, with a key', {}, async (page, service) => {
    // What the examples of the document are about: animal 3, order 1, category 7 and key 2.
    for (const name of ['Rex', 'Max', 'Tom'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await service.call('PUT', '/v1/categories/7', { body: { name: 'Cats' } });
    await service.call('POST', '/v1/keys', { body: { name: 'till 2', scopes: ['pets:read'] } });
    const statuses: string[] = [];
    for (const [id, snippet] of await snippetsOf(page, 'curl'))
      statuses.push(`curl ${id} ${await statusOfCurl(snippet)}`);
    const scripts = await snippetsOf(page, 'fetch');
    const found = await statusesOf(scripts.map(([, snippet]) => snippet));
    statuses.push(...scripts.map(([id], at) => `fetch ${id} ${found[at]}`));
    // One changes what the next one finds. A conflict is an answer too; a mistake in the snippet is not.
    const isFine = (one: string) => / (?:200|201|204|404|409|412)$/.test(one);
    assert.equal(statuses.filter((one) => !isFine(one)).join(', '), '');
    for (const exact of ['conditional-requests 412', 'idempotency 201', 'listPets 200', 'createPet 201'])
      assert.ok(statuses.includes(`curl ${exact}`) && statuses.includes(`fetch ${exact}`), exact);
    assert.ok(statuses.includes('curl events 200') && statuses.includes('curl getPet 200'));
    const sections = await page.locator('section:not(.schema)').count();
    assert.equal(statuses.length, 2 * sections - 1, 'only the stream has no fetch');
  });

  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'], isolated: true };
  inReference('are shown in two languages, without the key, and can be copied', clipboard, async (page) => {
    const create = await tryForm(page, 'createPet');
    const body = `{"name": "It's $HOME \\"x\\"", "categoryId": ${LARGEST}}`;
    await create.getByLabel('Body', { exact: true }).fill(body);
    const section = page.locator('section#createPet');
    const copied = async (what: string) => {
      await section.getByRole('button', { name: `Copy ${what} snippet of createPet` }).click();
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const curl = await copied('curl');
    assert.ok(!curl.includes(KEY));
    const created = (id: number) =>
      `{"id":${id},"name":"It's $HOME \\"x\\"","categoryId":${LARGEST},"status":"available"}`;
    assert.equal((await run('bash', ['-c', `${withKey(curl)} -s`])).stdout, created(1));
    await section.getByRole('button', { name: 'fetch' }).click();
    assert.equal((await runScript(withKey(await copied('fetch')))).stdout.trim(), `201 ${created(2)}`);
    await section.getByRole('button', { name: '422' }).click();
    const example = await section.getByLabel('Example answer of createPet', { exact: true }).innerText();
    assert.match(example, /idempotency_key_reused/);
  });

  inReference('that change something ask for a second click; the answer is exact', {}, async (page) => {
    let sent = 0;
    page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
    const create = await tryForm(page, 'createPet');
    await create.getByText(`This calls the live service at ${new URL(page.url()).host}.`).waitFor();
    await create.getByText('Request headers').click();
    const fields = await create.locator(':is(input:not([type=password]), textarea)').all();
    assert.deepEqual(await Promise.all(fields.map((field) => field.inputValue())), ['', '', '']);
    const first = create.getByRole('button', { name: 'Try it' });
    const second = create.getByRole('button', { name: 'Send: this changes the live service' });
    await first.click();
    await create.getByText('Fill in the body first.').waitFor();
    await create.getByRole('button', { name: 'Use the example' }).click();
    // A double click asks once, and does not answer.
    await first.dblclick();
    await second.waitFor();
    await create.getByLabel('Body', { exact: true }).fill(`{"name": "Rex", "categoryId": ${LARGEST}}`);
    await first.click();
    await second.press('Tab');
    await first.waitFor();
    // Enter in a field asks as well.
    await create.getByLabel('Idempotency-Key').press('Enter');
    await second.waitFor();
    assert.equal(sent, 0);
    await page.keyboard.press('Enter');
    await create.getByText('201 Created').waitFor();
    await first.waitFor();
    assert.equal(sent, 1);
    // The answer has a status, headers, a time and every digit.
    const answer = await create.getByLabel('Body of the answer').innerText();
    assert.match(answer, new RegExp(`^  "categoryId": ${LARGEST},$`, 'm'));
    await create.getByText(/^\d+ headers · [\d.]+ ms · \d+ bytes$/).click();
    assert.match(await create.getByLabel('Headers of the answer').innerText(), /^x-request-id: \S+$/m);
    // What goes wrong without an answer leaves no earlier answer on the page.
    const get = await tryForm(page, 'getPet');
    await get.getByLabel('petId').fill('1');
    await send(get);
    await get.getByText('200 OK').waitFor();
    await get.getByLabel('API key').fill('日');
    await send(get);
    await get.getByText('The service did not answer.').waitFor();
    assert.equal(await get.getByText('200 OK').count(), 0);
  });

  inReference('send what is typed, and lead to the next page', {}, async (page, service) => {
    for (const name of [' Rex', 'Rita', 'Luna', 'Rover'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    const list = await tryForm(page, 'listPets');
    const answer = list.getByLabel('Body of the answer');
    const names = async () => JSON.parse(await answer.innerText()).map(({ name }: { name: string }) => name);
    await list.getByLabel('name', { exact: true }).fill('r');
    await list.getByLabel('id', { exact: true }).fill('1, 2, 3, 4');
    await send(list);
    await eventuallyEqual(names, ['Rover', 'Rita']);
    await list.getByRole('button', { name: 'Next page' }).click();
    await eventuallyEqual(names, [' Rex']);
    assert.equal(await list.getByRole('button', { name: 'Next page' }).count(), 0);
  });
});
