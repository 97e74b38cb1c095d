import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { startService } from '../support/service/service.ts';
import { violations } from './support/axe.ts';
import { openReference, tryForm } from './support/reference.ts';

/** One of each kind of thing: axe-core takes a minute for all of them. */
const PARTS = [
  '.sidebar',
  '.introduction',
  '#events',
  '#errors',
  '#listPets .pane',
  '#createPet .pane',
  '#getPet',
  '#schema-Pet',
  '#schema-PetStatus',
];

/** Rules about the page as a whole: they need all of it, and little time. */
const WHOLE = {
  runOnly: ['landmark-unique', 'landmark-one-main', 'duplicate-id-aria', 'page-has-heading-one'],
};

// Only colours differ between the themes, and only the layout between the widths.
const LOOKS = {
  'light, 1280 pixels': { colorScheme: 'light', width: 1280, rules: {} },
  'light, 360 pixels': { colorScheme: 'light', width: 360, rules: {} },
  'dark, 1280 pixels': { colorScheme: 'dark', width: 1280, rules: { runOnly: ['color-contrast'] } },
  'dark, 360 pixels': { colorScheme: 'dark', width: 360, rules: { runOnly: ['color-contrast'] } },
} as const;

describe('Accessibility of the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const [look, { colorScheme, width, rules }] of Object.entries(LOOKS))
    it(`axe-core finds nothing, ${look}`, async (t) => {
      const service = await startService(t);
      const viewport = { width, height: 860 };
      const page = await openReference(t, service, '', { colorScheme, viewport });
      if (!page) return;
      const list = await tryForm(page, 'listPets');
      await list.getByRole('button', { name: 'Send GET' }).click();
      await list.locator('.answer').getByText('401 Unauthorized').waitFor();
      await tryForm(page, 'createPet');
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      assert.deepEqual(await violations(page, WHOLE), []);
      await page.getByLabel('Search this page').focus();
      await page.keyboard.type('paging');
      await page.locator('.result').first().waitFor();
      assert.deepEqual(await violations(page, rules, PARTS), []);
    });

  it('no panel gets a focus ring: only what can be pressed or typed into can be reached by the keyboard', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'listPets');
    if (!page) return;
    const others = await page.evaluate(`[...document.querySelectorAll('[tabindex]')]
      .filter((one) => one.tabIndex >= 0 && !one.matches('a, button, input, select, textarea, summary'))
      .map((one) => one.outerHTML.slice(0, 120))`);
    assert.deepEqual(others, []);
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
  });
});
