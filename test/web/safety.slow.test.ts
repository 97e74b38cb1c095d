import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  browser,
  chromiumPath,
  closeBrowser,
  launchPersistent,
  openPage,
  signIn,
  watch,
} from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { startService, temporaryFolder } from '../support/service/service.ts';
import { addAnimals, names } from './support/console.ts';
import { openPanel } from './support/panel.ts';
import { send, tryForm } from './support/reference.ts';

const SECRET = 'secret-key-that-must-not-be-stored-anywhere';
const MARKUP = '<img src=x onerror="document.title=1">';

async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) found.push(name);
  }
  return found;
}

/** Everything that a page can store, the state of its entry in the history, and what is on it. */
const heldBy = async (page: Page) =>
  JSON.stringify(
    await page.evaluate(`Promise.all([{ ...localStorage }, { ...sessionStorage }, document.cookie, name, history.state,
      indexedDB.databases(), caches.keys(), document.documentElement.outerHTML])`),
  );

describe('The safety of the pages', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('the key is in no address, storage, element or file of the profile, and a name is only text', async (t) => {
    const service = await startService(t, { config: { apiKeys: [SECRET] } });
    const body = { name: MARKUP, categoryId: 7 };
    await service.call('POST', '/v1/pets', { body, key: SECRET });
    const executablePath = chromiumPath(t);
    if (executablePath === undefined) return;
    const profile = await temporaryFolder(t);
    const context = await launchPersistent(executablePath, profile);
    t.after(() => context.close());
    const [page = assert.fail()] = context.pages();
    watch(t, page, new URL(service.origin).host);
    const held: string[] = [];
    page.on('request', (request) => held.push(request.url()));
    await page.goto(service.origin);
    await signIn(page, SECRET);
    await openPanel(page, MARKUP);
    assert.equal(await page.locator('img').count(), 0);
    held.push(await heldBy(page));
    await page.evaluate(`sessionStorage.setItem('control', 'what-a-page-writes-to-session-storage')`);
    await page.goto(`${service.origin}/docs`);
    const form = await tryForm(page, 'listPets', SECRET);
    await send(form);
    await form.getByText('200 OK').waitFor();
    held.push(await heldBy(page));
    assert.match(held.join(), /what-a-page-writes/);
    assert.ok(!held.join().includes(SECRET));
    await context.close();
    assert.notDeepEqual(await filesWith(profile, 'what-a-page-writes'), [], 'what is stored is found');
    assert.deepEqual(await filesWith(profile, SECRET), []);
  });

  it('the browser runs no markup and asks no other origin', async (t) => {
    const service = await startService(t);
    const page = await (await browser(t))?.newPage();
    if (!page) return;
    t.after(() => page.close());
    await page.goto(service.origin);
    await page.evaluate(`globalThis.broken = [];
      addEventListener('securitypolicyviolation', (event) => broken.push(event.effectiveDirective));`);
    for (const code of [
      `document.body.innerHTML = '<img>'`,
      `document.body.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))`,
      `fetch('http://other.example').catch(() => {})`,
      `new Image().src = 'http://other.example/icon.png'`,
      `document.body.append(document.createElement('form')); document.forms[1].submit()`,
    ])
      await page.evaluate(`(() => { ${code} })()`).catch(() => {});
    await eventuallyEqual(
      () => page.evaluate('broken.toSorted().join()'),
      'connect-src,form-action,img-src,require-trusted-types-for,style-src-elem',
    );
  });

  it('they work below the path of a proxy, and have a badge on staging, and only there', async (t) => {
    let port = 0;
    const front = await startFront(t, () => port, '/staging');
    const config = { baseUrl: 'https://shop.example/v1', stagingBaseUrl: `${front.origin}/v1` };
    const service = await startService(t, { config });
    port = service.port;
    await addAnimals(service, ['Rex']);
    const staging = await openPage(t, `${front.origin}/`);
    const other = await openPage(t, service.origin);
    if (!staging || !other) return;
    const badge = (on: Page | Locator) => on.getByText('Staging', { exact: true });
    await badge(staging).waitFor();
    for (const page of [staging, other]) await signIn(page);
    await eventuallyEqual(() => names(staging), ['Rex']);
    assert.deepEqual([await badge(staging).count(), await badge(other).count()], [1, 0]);
    assert.equal(await staging.title(), 'Animals · Animal Store (staging)');
    await staging.goto(`${front.origin}/docs`);
    await badge(staging.getByRole('banner')).waitFor();
    assert.match(await staging.getByLabel('listPets as curl').innerText(), /\/staging\/v1\/pets /);
  });
});
