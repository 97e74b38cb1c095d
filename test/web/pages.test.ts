import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openPage } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { counts, names, openConsole, reserveButton, state, undo } from './support/console.ts';

/** A short look at both pages. Everything else about them is in the slow tests of this folder. */
describe('The pages in a browser', () => {
  after(closeBrowser);

  it('the console lists animals and reserves one', async (t) => {
    const { page } = (await openConsole(t, ['Rex', 'Luna'])) ?? {};
    if (!page) return;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    await reserveButton(page, 'Luna').click();
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved');
    await undo(page, 'Luna').waitFor();
    await eventuallyEqual(() => counts(page), ['1', '1', '0', '2']);
  });

  it('the reference shows every operation', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, `${service.origin}/docs`);
    if (!page) return;
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    const { paths } = JSON.parse((await service.call('GET', '/openapi.json', { key: null })).text) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    for (const id of ids) assert.equal(await page.locator(`section[id="${id}"]`).count(), 1, id);
  });
});
