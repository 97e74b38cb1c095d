import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { counts, inConsole, names, reserveButton, state, undo } from './support/console.ts';
import { inReference } from './support/reference.ts';

/** A short look at both pages. Everything else about them is in the slow tests of this folder. */
describe('The pages in a browser', () => {
  after(closeBrowser);

  inConsole('the console lists animals and reserves one', { animals: ['Rex', 'Luna'] }, async ({ page }) => {
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    await reserveButton(page, 'Luna').click();
    await eventuallyEqual(() => state(page, 'Luna'), 'Reserved');
    await undo(page, 'Luna').waitFor();
    await eventuallyEqual(() => counts(page), ['1', '1', '0', '2']);
  });

  inReference('the reference shows every operation', {}, async (page, service) => {
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    const { paths } = JSON.parse((await service.call('GET', '/openapi.json')).text);
    for (const { operationId } of Object.values<object>(paths).flatMap((methods) => Object.values(methods)))
      assert.equal(await page.locator(`section[id="${operationId}"]`).count(), 1, operationId);
  });
});
