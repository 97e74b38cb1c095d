import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe-core objects to, with where. */
async function violations(
  page: Page,
  rules: object,
  within: readonly string[] = ['body'],
): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const source = await readFile(AXE, 'utf8');
  await session.send('Runtime.evaluate', { expression: source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify({ include: within.map((one) => [one]) })}, ${JSON.stringify(rules)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  const { violations } = result.value as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

async function seed(service: Service): Promise<void> {
  for (const [name, status] of Object.entries({ Rex: 'available', Luna: 'available', Milo: 'sold' })) {
    await service.call('POST', '/v1/pets', { body: { name, categoryId: 7, status } });
  }
  await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
  await service.call('PUT', '/v1/categories/8', { body: { name: 'Cats' } });
  await service.call('POST', '/v1/pets', { body: { name: 'Duplicate', categoryId: 8 } });
  await service.call('DELETE', '/v1/pets/4');
}

describe('Accessibility', { concurrency: 2 }, () => {
  after(closeBrowser);

  // Only colours differ between the themes, and only the layout between the widths.
  const looks = {
    'light, 1280 pixels': { colorScheme: 'light', width: 1280, rules: {} },
    'light, 360 pixels': { colorScheme: 'light', width: 360, rules: {} },
    'dark, 1280 pixels': { colorScheme: 'dark', width: 1280, rules: { runOnly: ['color-contrast'] } },
    'dark, 360 pixels': { colorScheme: 'dark', width: 360, rules: { runOnly: ['color-contrast'] } },
  } as const;
  for (const [look, { colorScheme, width, rules }] of Object.entries(looks)) {
    const viewport = { width, height: 860 };
    it(`axe-core finds nothing in the console, ${look}`, async (t) => {
      const service = await startService(t);
      await seed(service);
      const page = await openPage(t, service.origin, { colorScheme, viewport, isolated: true });
      if (!page) return;
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Enter your API key.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the sign-in');
      await signIn(page);
      await page.getByRole('button', { name: /^Reserve/ }).click();
      await page.getByText('Undo').waitFor();
      await service.call('POST', '/v1/pets', { body: { name: 'Otis', categoryId: 9 } });
      await page.getByText('1 new animal – show').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the animals');
      await page.getByRole('button', { name: 'Add an animal' }).and(page.locator(':visible')).click();
      await page.getByRole('button', { name: 'Add and next' }).click();
      await page.getByText('Enter a name.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the form with its problems');
      await page.getByLabel('Name', { exact: true }).fill('Rex');
      await page.getByLabel('Category', { exact: true }).fill('7');
      await page.keyboard.press('Enter');
      await page.getByText('already').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Added just now').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the form after an animal was added');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('link', { name: /^Luna/ }).click();
      await page.getByRole('button', { name: 'Cancel reservation' }).waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the panel of an animal');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Category', { exact: true }).fill('Rabbits');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('There is no such category.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the form to correct an animal');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('link', { name: 'Removed', exact: true }).click();
      await page.getByRole('button', { name: /^Restore/ }).waitFor();
      assert.deepEqual(await violations(page, rules), [], 'what was removed');
      await page.goto(`${service.origin}/#/categories`);
      await page.getByRole('button', { name: /^Remove .*Dogs/ }).click();
      await page.getByText('Animals belong to this category.').first().waitFor();
      await page.getByRole('button', { name: /^Rename .*Cats/ }).click();
      assert.deepEqual(await violations(page, rules), [], 'the categories');
      await page.goto(`${service.origin}/#/activity`);
      await page.locator('.is-event').first().waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the activity');
      await page.goto(`${service.origin}/#/keys`);
      await page.getByLabel('Who or what is it for?').fill('till 4');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: /^The key for/ }).waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the keys, with a new one');
      await page.getByRole('button', { name: /^Revoke/ }).click();
      await page.getByRole('button', { name: 'Keep it' }).waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the question before revoking');
      await page.getByRole('button', { name: 'Keep it' }).click();
      await page.goto(`${service.origin}/#/more`);
      await page.getByRole('heading', { name: 'More' }).waitFor();
      assert.deepEqual(await violations(page, rules), [], 'more');
      await page.getByRole('link', { name: 'Orders' }).and(page.locator(':visible')).click();
      await page.getByRole('button', { name: 'Complete order 1' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the orders, offline');
    });

    it(`axe-core finds nothing in the reference, ${look}`, async (t) => {
      const service = await startService(t);
      const page = await openPage(t, `${service.origin}/docs`, { colorScheme, viewport });
      if (!page) return;
      await page.getByRole('button', { name: 'Send GET' }).first().click();
      await page.locator('.answer').getByText('401 Unauthorized').waitFor();
      await page.evaluate(`for (const one of document.querySelectorAll('#getPet details')) one.open = true`);
      await page.keyboard.press('Escape');
      await page.locator('body').press('/');
      await page.keyboard.type('paging');
      await page.locator('.result').first().waitFor();
      // One of each kind of thing: axe-core takes a minute for all of them.
      const parts = [
        '.sidebar',
        '.introduction',
        '#errors',
        '#listPets .try',
        '#getPet',
        '#schema-Pet',
        '#schema-PetStatus',
      ];
      assert.deepEqual(await violations(page, rules, parts), []);
    });
  }

  it('nothing scrolls sideways at 360, 768 and 2560 pixels', async (t) => {
    const service = await startService(t);
    await seed(service);
    await service.call('POST', '/v1/pets', { raw: '{"name":"Atlas","categoryId":-9223372036854775808}' });
    const page = await openPage(t, service.origin);
    if (!page) return;
    const check = async (what: string) => {
      for (const width of [360, 768, 2560]) {
        await page.setViewportSize({ width, height: 740 });
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, what);
      }
    };
    await check('the sign-in');
    await signIn(page);
    await page.getByText('Atlas').waitFor();
    await check('the animals');
    await page.getByRole('button', { name: 'Add an animal' }).and(page.locator(':visible')).click();
    await check('the form');
    await page.keyboard.press('Escape');
    await page.goto(`${service.origin}/#/orders`);
    await page.getByRole('button', { name: 'Complete order 1' }).waitFor();
    await check('the orders');
    await page.goto(`${service.origin}/docs`);
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
    await page.locator('#updateOrder').getByText('Responses').first().waitFor();
    await check('the reference');
  });

  it('every button of a panel fits into it at 320 pixels', async (t) => {
    const service = await startService(t);
    await seed(service);
    const viewport = { width: 320, height: 640 };
    const page = await openPage(t, `${service.origin}/#/animals?animal=1`, { viewport });
    if (!page) return;
    await signIn(page);
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await panel.getByRole('button', { name: 'Cancel reservation' }).waitFor();
    assert.ok(await panel.evaluate((one) => one.scrollWidth <= one.clientWidth));
  });

  it('forced colours still show which view, filter and language is chosen', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, service.origin, { forcedColors: 'active', isolated: true });
    if (!page) return;
    await signIn(page);
    const differs = async (chosen: string, other: string) => {
      const look = (one: string) =>
        page.evaluate(
          `(({ borderBottomColor, backgroundColor }) => borderBottomColor + backgroundColor)(getComputedStyle(document.querySelector('${one}')))`,
        );
      assert.notEqual(await look(chosen), await look(other), chosen);
    };
    await differs('.nav a[aria-current]', '.nav a:not([aria-current])');
    await differs('.tab[aria-current]', '.tab:not([aria-current])');
    await page.goto(`${service.origin}/docs`);
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    await differs('.segment[aria-pressed=true]', '.segment[aria-pressed=false]');
  });
});
