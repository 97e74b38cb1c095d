import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage, signIn } from '../support/browser.ts';
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
}

describe('Accessibility', { concurrency: 2 }, () => {
  after(closeBrowser);

  // Only colours differ between the themes.
  const themes = { light: {}, dark: { runOnly: ['color-contrast'] } };
  for (const [theme, rules] of Object.entries(themes)) {
    const colorScheme = theme as keyof typeof themes;
    it(`axe-core finds nothing in the console, ${colorScheme}`, async (t) => {
      const service = await startService(t);
      await seed(service);
      const page = await openPage(t, service.origin, {
        colorScheme,
        reducedMotion: 'reduce',
        isolated: true,
      });
      if (!page) return;
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Enter your API key.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the sign-in');
      await signIn(page);
      await page.getByRole('button', { name: /^Reserve/ }).click();
      await page.getByText('is reserved.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the animals');
      await page.getByRole('button', { name: 'Add an animal' }).click();
      await page.getByRole('button', { name: 'Add animal' }).click();
      await page.getByText('Enter a name.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the form with its problems');
      await page.keyboard.press('Escape');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('button', { name: 'Cancel order 1' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      assert.deepEqual(await violations(page, rules), [], 'the orders, offline');
      await page.getByRole('button', { name: 'Cancel order 1' }).click();
      assert.deepEqual(await violations(page, rules), [], 'the question');
    });

    it(`axe-core finds nothing in the reference, ${colorScheme}`, async (t) => {
      const service = await startService(t);
      const page = await openPage(t, `${service.origin}/docs`, { colorScheme, reducedMotion: 'reduce' });
      if (!page) return;
      await page.getByRole('button', { name: 'Send GET' }).first().click();
      await page.getByText('401 Unauthorized').waitFor();
      await page.evaluate(`for (const one of document.querySelectorAll('#getPet details')) one.open = true`);
      // One of each kind of thing: axe-core takes a minute for all of them.
      const parts = [
        '.sidebar',
        '.introduction',
        '#listPets .try',
        '#getPet',
        '#schema-Pet',
        '#schema-PetStatus',
      ];
      assert.deepEqual(await violations(page, rules, parts), []);
    });
  }

  it('the console works by keyboard alone', async (t) => {
    const service = await startService(t);
    const page = await openPage(t, service.origin);
    if (!page) return;
    const focused = () =>
      page.evaluate(
        '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText).trim()',
      );
    const tabTo = async (name: string | RegExp) => {
      // More presses than there are elements, and enough time for a page that is still being drawn.
      for (const end = Date.now() + 15_000; Date.now() < end; ) {
        for (let presses = 0; presses < 40; presses++) {
          if (String(await focused()).match(name)) return;
          await page.keyboard.press('Tab');
        }
      }
      assert.fail(`${name} cannot be reached`);
    };
    await page.locator('#api-key:focus').waitFor();
    await page.keyboard.type('test-key-of-the-suite');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await tabTo(/^Add an animal/);
    await page.keyboard.press('Enter');
    await page.locator('#add-name:focus').waitFor();
    await page.keyboard.type('Rex');
    await page.keyboard.press('Tab');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.getByText('was added with the id 1.').waitFor();
    // The focus returns to where it was.
    await eventually(async () => /^Add an animal/.test(String(await focused())), true);
    await page.getByRole('button', { name: /^Reserve/ }).waitFor();
    await tabTo(/^Reserve/);
    await page.keyboard.press('Enter');
    await page.getByText('Order 1 is open.').waitFor();
    await eventually(async () => /Rex/.test(String(await focused())), true);
    await page.keyboard.press('Home');
    await page.reload();
    await page.locator('#api-key:focus').waitFor();
    await page.keyboard.type('test-key-of-the-suite');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Animals' }).waitFor();
    await tabTo(/^Orders$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Complete order 1' }).waitFor();
    await tabTo(/^Complete order 1/);
    await page.keyboard.press('Enter');
    await page.locator('dialog :focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await tabTo(/^Complete order 1/);
    await page.keyboard.press('Enter');
    await page.locator('dialog :focus').waitFor();
    // The event of the first closing may come late.
    await page.evaluate('document.querySelector("dialog[open]").dispatchEvent(new Event("close"))');
    await tabTo(/^Complete order$/);
    await page.keyboard.press('Enter');
    await page.getByText('Order 1 is completed.').waitFor();
  });

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
    await page.getByRole('button', { name: 'Add an animal' }).click();
    await check('the form');
    await page.keyboard.press('Escape');
    await page.goto(`${service.origin}/#/orders`);
    await page.getByRole('button', { name: 'Complete order 1' }).waitFor();
    await check('the orders');
    await page.goto(`${service.origin}/docs`);
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
    await page.locator('#updateOrder').getByText('Headers').last().waitFor();
    await check('the reference');
  });

  it('every button of a dialog fits into it at 320 pixels', async (t) => {
    const service = await startService(t);
    await seed(service);
    const page = await openPage(t, `${service.origin}/#/orders`, { viewport: { width: 320, height: 640 } });
    if (!page) return;
    await signIn(page);
    await page.getByRole('button', { name: 'Complete order 1' }).click();
    const dialog = await page.getByRole('dialog').boundingBox();
    const button = await page.getByRole('button', { name: 'Keep it open' }).boundingBox();
    assert.ok(dialog && button && button.x > dialog.x, JSON.stringify({ dialog, button }));
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
    await differs('.tab[aria-current]', '.tab:not([aria-current])');
    await differs('.segment[aria-current]', '.segment:not([aria-current])');
    await page.goto(`${service.origin}/docs`);
    await page.getByRole('heading', { name: 'List animals' }).waitFor();
    await differs('.segment[aria-pressed=true]', '.segment[aria-pressed=false]');
  });
});
