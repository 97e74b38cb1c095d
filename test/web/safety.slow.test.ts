import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { chromiumPath, closeBrowser, launchPersistent, openPage, signIn, watch } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { startService, temporaryFolder } from '../support/service/service.ts';
import { names, row } from './support/console.ts';
import { tryForm } from './support/reference.ts';

const SECRET = 'secret-key-that-must-not-be-stored-anywhere';
/** Of the panel of an animal: where its list is. */
const HISTORY_STATE = '{"visit":{"scroll":0,"list":"#/animals","entriesAboveList":1}}';

async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found: string[] = [];
  for (const file of files) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) found.push(file);
  }
  return found;
}

/** Everything that a page can store, and the state of its entry in the history. */
const storedBy = (page: Page) =>
  page.evaluate(`Promise.all([
    JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, window.name, JSON.stringify(history.state),
    indexedDB.databases().then((all) => all.length), caches.keys().then((all) => all.length),
  ])`);

describe('The safety of the pages', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('the key is in no storage of the browser, in no address, and in no file of its profile', async (t) => {
    const service = await startService(t, { config: { apiKeys: [SECRET] } });
    await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 }, key: SECRET });
    const executablePath = chromiumPath(t);
    if (executablePath === undefined) return;
    const profile = await temporaryFolder(t);
    const context = await launchPersistent(executablePath, profile);
    t.after(() => context.close());
    const [page] = context.pages();
    assert.ok(page);
    watch(t, page, new URL(service.origin).host);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(service.origin);
    await signIn(page, SECRET);
    await row(page, 'Rex').getByRole('link').click();
    await page.getByRole('dialog', { name: 'Rex' }).waitFor();
    // An entry of the history knows its place in the list. Nothing else is stored.
    assert.deepEqual(await storedBy(page), ['{}', '{}', '', '', HISTORY_STATE, 0, 0], 'the console');
    const control = 'what-a-page-writes-to-session-storage';
    await page.evaluate(`sessionStorage.setItem('control', '${control}')`);
    await page.goto(`${service.origin}/docs`);
    const form = await tryForm(page, 'listPets');
    await form.getByLabel('API key').fill(SECRET);
    await form.getByRole('button', { name: 'Send GET' }).click();
    await form.getByText('200 OK').waitFor();
    assert.deepEqual(
      await storedBy(page),
      ['{}', `{"control":"${control}"}`, '', '', 'null', 0, 0],
      'the reference',
    );
    assert.ok(!addresses.join().includes(SECRET));
    assert.deepEqual(await context.cookies(), []);
    await context.close();
    assert.notDeepEqual(await filesWith(profile, control), [], 'the search would find what is stored');
    assert.deepEqual(await filesWith(profile, SECRET), []);
  });

  it('a reload forgets the key, and another tab does not have it', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/#/orders`);
    if (!page) return;
    await signIn(page);
    const other = await page.context().newPage();
    await other.goto(service.origin);
    await other.getByRole('heading', { name: 'Animal Store' }).waitFor();
    await page.reload();
    await signIn(page);
    assert.equal(await page.title(), 'Orders · Animal Store', 'the view is still in the address');
  });

  it('shows the badge where the address is that of staging, and only there', async (t) => {
    let port = 0;
    const front = await startFront(t, () => port, '/staging');
    const config = { baseUrl: 'https://shop.example/v1', stagingBaseUrl: `${front.origin}/v1` };
    const service = await startService(t, { config });
    port = service.port;
    const staging = await openPage(t, `${front.origin}/`);
    const other = await openPage(t, service.origin);
    if (!staging || !other) return;
    await staging.getByText('Staging', { exact: true }).waitFor();
    await signIn(staging);
    assert.equal(await staging.getByRole('banner').getByText('Staging', { exact: true }).count(), 1);
    assert.equal(await staging.title(), 'Animals · Animal Store (staging)');
    assert.equal(front.requests.filter((line) => line.includes('openapi.json')).length, 0);
    await staging.goto(`${front.origin}/docs`);
    await staging.getByRole('banner').getByText('Staging', { exact: true }).waitFor();
    assert.equal(
      await staging.locator('.servers li', { hasText: 'Staging' }).getByText('You are here').count(),
      1,
    );

    await other.waitForLoadState('networkidle');
    await signIn(other);
    assert.equal(await other.getByText('Staging', { exact: true }).count(), 0);
  });

  it('works below the path prefix of a proxy', async (t) => {
    const service = await startService(t);
    await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    const front = await startFront(t, service.port, '/shop');
    const page = await openPage(t, `${front.origin}/`);
    if (!page) return;
    await signIn(page);
    await eventuallyEqual(() => names(page), ['Rex']);
    await page.goto(`${front.origin}/docs`);
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    assert.match(await page.getByLabel('listPets as curl').innerText(), /\/shop\/v1\/pets /);
  });
});
