import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { chromiumPath, closeBrowser, launchPersistent, openPage, signIn, watch } from '../support/browser.ts';
import { startFront } from '../support/service/front.ts';
import { startService, temporaryFolder } from '../support/service/service.ts';
import { openPanel } from './support/panel.ts';
import { send, tryForm } from './support/reference.ts';

const SECRET = 'secret-key-that-must-not-be-stored-anywhere';
const MARKUP = '<img src=x onerror="document.title=1">';

/** How many files in a folder contain a text. */
async function filesWith(text: string, folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return files.filter((file) => file.includes(text) || file.includes(Buffer.from(text, 'utf16le'))).length;
}

/** Everything that a page can store, the state of its entry in the history, and what is on it. */
const heldBy = async (page: Page) =>
  JSON.stringify(
    await page.evaluate(`Promise.all([{ ...localStorage }, { ...sessionStorage }, document.cookie, name, history.state,
      indexedDB.databases(), caches.keys(), document.documentElement.outerHTML])`),
  );
const badges = (page: Page) => page.getByText('Staging', { exact: true }).count();

describe('The safety of the pages', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a key is in no address, storage, element or file; a name is text; staging says so', async (t) => {
    let port = 0;
    const { origin } = await startFront(t, () => port, '/staging');
    const config = { apiKeys: [SECRET], baseUrl: 'https://shop.example/v1', stagingBaseUrl: `${origin}/v1` };
    const service = await startService(t, { config });
    port = service.port;
    await service.call('POST', '/v1/pets', { body: { name: MARKUP, categoryId: 7 }, key: SECRET });
    const executablePath = chromiumPath(t);
    if (executablePath === undefined) return;
    const profile = await temporaryFolder(t);
    const context = await launchPersistent(executablePath, profile);
    t.after(() => context.close());
    const [page = assert.fail()] = context.pages();
    watch(t, page, new URL(origin).host);
    const held: string[] = [];
    page.on('request', (request) => held.push(request.url()));
    await page.goto(`${origin}/`);
    await signIn(page, SECRET);
    await openPanel(page, MARKUP);
    assert.deepEqual([await page.locator('img').count(), await badges(page)], [0, 1]);
    assert.equal(await page.title(), 'Animals · Animal Store (staging)');
    held.push(await heldBy(page));
    await page.evaluate(`sessionStorage.setItem('control', 'a-page-wrote-this')`);
    await page.goto(`${origin}/docs`);
    assert.match(await page.getByLabel('listPets as curl').innerText(), /\/staging\/v1\/pets\?/);
    assert.equal(await badges(page), 2, 'on the page and in the list of addresses');
    const form = await tryForm(page, 'listPets', SECRET);
    await send(form);
    await form.getByText('200 OK').waitFor();
    held.push(await heldBy(page));
    assert.match(held.join(), /a-page-wrote-this/);
    assert.ok(!held.join().includes(SECRET));
    const other = await openPage(t, service.origin);
    await other?.getByLabel('API key').waitFor();
    assert.equal(other && (await badges(other)), 0);
    await context.close();
    assert.notEqual(await filesWith('a-page-wrote-this', profile), 0, 'what is stored is found');
    assert.equal(await filesWith(SECRET, profile), 0);
  });
});
