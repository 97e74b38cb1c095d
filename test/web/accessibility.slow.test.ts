import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, signIn } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Service, startService } from '../support/service/service.ts';
import { violations } from './support/axe.ts';
import { addAndNext, button, nameField } from './support/console.ts';

const ADDED = { Rex: 'available', Luna: 'available', Milo: 'sold' };
const RESERVED = { petId: 1, note: 'for Ms Lee' };
/** Longer than any place for it. */
const LONG_NAME = 'Sir Reginald Fluffington '.repeat(28).trim();
const LONG_NOTE = 'deposit paid, the cage goes with it; '.repeat(26).trim();

async function seed(service: Service): Promise<void> {
  for (const [name, status] of Object.entries(ADDED))
    await service.call('POST', '/v1/pets', { body: { name, categoryId: 7, status } });
  await service.call('POST', '/v1/store/orders', { body: RESERVED });
  await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
  await service.call('PUT', '/v1/categories/8', { body: { name: 'Cats' } });
  await service.call('POST', '/v1/pets', { body: { name: 'Duplicate', categoryId: 8 } });
  await service.call('DELETE', '/v1/pets/4');
  await service.call('POST', '/v1/pets', { body: { name: 'Kiwi', categoryId: 8 } });
  await service.call('POST', '/v1/store/orders', { body: { petId: 5, note: 'for Tomasz' } });
  await service.call('PATCH', '/v1/store/orders/2', { body: { status: 'completed' } });
}

/** An animal whose name and note are very long: reserved, or sold. */
async function addLong(service: Service, isSold: boolean): Promise<number> {
  const create = async (path: string, body: object) =>
    ((await service.call('POST', path, { body })).json as { readonly id: number }).id;
  const petId = await create('/v1/pets', { name: LONG_NAME, categoryId: 7 });
  const order = await create('/v1/store/orders', { petId, note: LONG_NOTE });
  if (isSold) await service.call('PATCH', `/v1/store/orders/${order}`, { body: { status: 'completed' } });
  return petId;
}

const visible = (page: Page, name: string) => button(page, name).and(page.locator(':visible'));
/** Until the view is there, with what it lists. */
async function arrived(page: Page, view: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: new RegExp(view, 'i') }).waitFor();
  await eventuallyEqual(() => page.locator('[aria-busy=true]').count(), 0);
}
const close = (page: Page) => button(page, /^Close$/).click();

describe('Accessibility of the console', { concurrency: 2 }, () => {
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
    const open = async (t: TestContext, path = '/') => {
      const service = await startService(t);
      await seed(service);
      const options = { colorScheme, viewport, reducedMotion: 'reduce', isolated: true } as const;
      const page = await openPage(t, service.origin + path, options);
      const check = async (what: string) => {
        // What is loading is pale.
        await eventuallyEqual(() => page?.locator('[aria-busy=true]').count(), 0);
        if (page) assert.deepEqual(await violations(page, rules), [], what);
      };
      return page && { page, service, check };
    };

    it(`axe-core finds nothing in the animals and their panels, ${look}`, async (t) => {
      const { page, service, check } = (await open(t)) ?? {};
      if (!page || !service || !check) return;
      await button(page, 'Sign in').click();
      await page.getByText('Enter your API key.').waitFor();
      await check('the sign-in');
      await signIn(page);
      await button(page, /^Reserve .*Luna/).click();
      await page.getByText('Undo').waitFor();
      await service.call('POST', '/v1/pets', { body: { name: 'Otis', categoryId: 9 } });
      await button(page, /^1 new/).waitFor();
      await check('the animals');
      await button(page, /^Signed in as/).click();
      await button(page, 'Sign out').waitFor();
      await check('the menu');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
      await check('the keyboard');
      await close(page);
      await visible(page, 'Add an animal').click();
      await addAndNext(page).click();
      await page.getByText('Enter a name.').waitFor();
      await check('the form with its problems');
      await nameField(page).fill('Pip');
      await page.getByRole('dialog').getByLabel('Category', { exact: true }).fill('Dogs');
      await addAndNext(page).click();
      await page.getByText('Added just now').waitFor();
      await check('the form after an animal was added');
      await close(page);
      await page.getByRole('link', { name: /^Rex/ }).click();
      await button(page, /^Cancel .*reservation/i).waitFor();
      await check('the panel of an animal');
      await button(page, /^Edit$/).click();
      await button(page, 'Save').waitFor();
      await check('the form to correct an animal');
      for (const isSold of [false, true]) {
        await page.goto(`${service.origin}/#/animals?animal=${await addLong(service, isSold)}`);
        await page.getByRole('dialog').getByText(LONG_NOTE).waitFor();
        await page.getByRole('heading', { name: 'History' }).waitFor();
        await button(page, isSold ? 'Take back' : 'Edit the note').waitFor();
        await check(`the panel with a long name and note, ${isSold ? 'sold' : 'reserved'}`);
      }
    });

    it(`axe-core finds nothing in the other views, ${look}`, async (t) => {
      const { page, service, check } = (await open(t, '/#/removed')) ?? {};
      if (!page || !service || !check) return;
      await signIn(page);
      await button(page, /^Restore/).waitFor();
      await check('what was removed');
      await page.goto(`${service.origin}/#/orders`);
      await button(page, /^Sell .*Rex/).waitFor();
      await check('the orders');
      await page.goto(`${service.origin}/#/orders?name=Kiwi`);
      await page.getByRole('link', { name: /^Kiwi/ }).waitFor();
      await check('orders that were searched for');
      await page.goto(`${service.origin}/#/categories`);
      await page.getByText('Cats', { exact: true }).first().waitFor();
      await check('the categories');
      await page.goto(`${service.origin}/#/activity`);
      await page.getByText('Kiwi').first().waitFor();
      await check('the activity');
      await page.goto(`${service.origin}/#/keys`);
      await page.getByLabel('Who or what is it for?').fill('till 4');
      await button(page, 'Create key').click();
      await page.getByRole('heading', { name: /^The key for/ }).waitFor();
      await check('the keys, with a new one');
      await button(page, /^Edit .*till 4/).click();
      await button(page, 'Save').waitFor();
      await check('the form to change a key');
      await page.keyboard.press('Escape');
      await button(page, /^Revoke .*till 4/).click();
      await page.getByRole('alertdialog').waitFor();
      await check('the question before revoking');
      await page.goto(`${service.origin}/#/more`);
      await page.getByRole('heading', { name: 'More' }).waitFor();
      await check('more');
      await page.goto(`${service.origin}/#/orders`);
      await button(page, /^Sell .*Rex/).waitFor();
      await arrived(page, 'orders');
      await page.context().setOffline(true);
      await page.locator('.strip').getByText('You are offline.').waitFor();
      await check('the orders, offline');
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
    await page.getByText('Atlas').first().waitFor();
    await check('the animals');
    await visible(page, 'Add an animal').click();
    await check('the form');
    await page.keyboard.press('Escape');
    for (const view of ['orders', 'activity', 'categories', 'keys', 'removed', 'more']) {
      await page.goto(`${service.origin}/#/${view}`);
      await arrived(page, view);
      await check(view);
    }
  });

  it('every page has the same width', async (t) => {
    const service = await startService(t);
    await seed(service);
    const page = await openPage(t, service.origin, { viewport: { width: 1600, height: 900 } });
    if (!page) return;
    await signIn(page);
    const edges = () =>
      page.evaluate(
        `((head) => [head.left, head.right])(document.querySelector('.page-head').getBoundingClientRect())`,
      );
    const expected = await edges();
    for (const view of ['orders', 'activity', 'categories', 'keys', 'removed', 'more']) {
      await page.goto(`${service.origin}/#/${view}`);
      await arrived(page, view);
      assert.deepEqual(await edges(), expected, view);
    }
  });

  it('every button of a panel fits into it at 320 pixels', async (t) => {
    const service = await startService(t);
    await seed(service);
    const viewport = { width: 320, height: 640 };
    const page = await openPage(t, `${service.origin}/#/animals?animal=1`, { viewport });
    if (!page) return;
    await signIn(page);
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await panel.getByRole('button', { name: /^Cancel .*reservation/i }).waitFor();
    assert.ok(await panel.evaluate((one) => one.scrollWidth <= one.clientWidth));
  });

  it('on a phone, Tab stays in the sheet, and its row has the focus when it closes', async (t) => {
    const service = await startService(t);
    await seed(service);
    const page = await openPage(t, service.origin, { viewport: { width: 390, height: 844 } });
    if (!page) return;
    await signIn(page);
    await page.getByRole('link', { name: /^Rex/ }).focus();
    await page.keyboard.press('Enter');
    await button(page, /^Cancel .*reservation/i).waitFor();
    const focused = () =>
      page.evaluate(
        `((one) => one === document.body ? 'nothing' : one.closest('.panel') ? 'the sheet' : one.outerHTML)(document.activeElement)`,
      );
    const seen = new Set<unknown>();
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab');
      seen.add(await focused());
    }
    // After the last control, the browser's own are next.
    assert.deepEqual([...seen].sort(), ['nothing', 'the sheet']);
    await page.keyboard.press('Escape');
    await page.locator('.row-name:focus', { hasText: 'Rex' }).waitFor();
  });

  it('a panel has no ring around it, whoever opens it', async (t) => {
    const service = await startService(t);
    await seed(service);
    const page = await openPage(t, service.origin);
    if (!page) return;
    await signIn(page);
    await page.getByRole('link', { name: /^Rex/ }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Rex' });
    await panel.waitFor();
    const outline = await panel.evaluate(
      (one) => one.ownerDocument.defaultView?.getComputedStyle(one).outlineStyle,
    );
    assert.equal(outline, 'none');
  });

  it('forced colours still show which view and filter is chosen', async (t) => {
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
  });
});
