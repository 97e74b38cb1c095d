import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { KEY, startService } from '../support/service/service.ts';
import { openReference, tryForm } from './support/reference.ts';

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 1440, height: 940 },
];

/** What scrolls on its own, or has more in it than it shows, within these elements. */
const scrollers = (page: Page, within: string): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('${within}')]
    .flatMap((one) => [one, ...one.querySelectorAll('*')])
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'inline' && !one.closest('svg'))
    .filter((one) => one.matches(':not(input, select)') && /auto|scroll|hidden/.test(getComputedStyle(one).overflow))
    .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
    .map((one) => one.outerHTML.slice(0, 120))`);

const isWholeInView = async (page: Page, one: Locator): Promise<boolean> => {
  const { x = -1, y = -1, width = 0, height = 0 } = (await one.boundingBox()) ?? {};
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  return x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height;
};

describe('The layout of the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const viewport of WINDOWS) {
    const size = `${viewport.width}x${viewport.height}`;
    it(`nothing within call and answer scrolls on its own at ${size}`, async (t) => {
      const service = await startService(t);
      for (let number = 1; number <= 60; number++)
        await service.call('POST', '/v1/pets', { body: { name: `Animal ${number}`, categoryId: 7 } });
      const page = await openReference(t, service, 'listPets', { viewport });
      if (!page) return;
      const list = await tryForm(page, 'listPets');
      await list.getByLabel('API key').fill(KEY);
      await list.getByLabel('limit').fill('60');
      await list.getByRole('button', { name: 'Send GET' }).click();
      await list.getByText('200 OK').waitFor();
      await list.getByText(/\d headers/).click();
      await tryForm(page, 'createPet');
      assert.deepEqual(await scrollers(page, '.pane'), []);
    });

    it(`call and answer stay in view beside a long text, and everything in them can be reached at ${size}`, async (t) => {
      const service = await startService(t);
      const page = await openReference(t, service, 'listEvents', { viewport });
      if (!page) return;
      const section = page.locator('section#listEvents');
      await page.evaluate('scrollBy({ top: 500, behavior: "instant" })');
      for (const label of ['listEvents as curl', 'Example answer of listEvents'])
        await eventuallyEqual(() => isWholeInView(page, section.getByLabel(label, { exact: true })), true);
      const form = await tryForm(page, 'listEvents');
      await eventuallyEqual(() => isWholeInView(page, form.getByRole('button', { name: 'Send GET' })), true);
      assert.equal(await page.evaluate('document.activeElement.type'), 'password');
      await page.evaluate(`document.getElementById('listEvents').scrollIntoView({ behavior: 'instant' })`);
      await eventuallyEqual(
        () => isWholeInView(page, section.getByLabel('listEvents as curl', { exact: true })),
        true,
      );
    });
  }

  it('the beginning of an answer that is higher than the window is in view', async (t) => {
    const service = await startService(t);
    for (let number = 1; number <= 60; number++)
      await service.call('POST', '/v1/pets', { body: { name: `Animal ${number}`, categoryId: 7 } });
    const page = await openReference(t, service, 'listPets', { viewport: { width: 1280, height: 800 } });
    if (!page) return;
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('limit').fill('60');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await eventuallyEqual(() => isWholeInView(page, list.getByText('200 OK')), true);
    await eventuallyEqual(async () => ((await list.locator('.answer').boundingBox())?.y ?? 0) < 100, true);
  });

  it('a long line goes on below, further in than where it begins', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'events', { viewport: { width: 390, height: 844 } });
    if (!page) return;
    const starts = await page.evaluate(`(() => {
      const line = [...document.querySelectorAll('#events .line')].find((one) => one.textContent.startsWith('data:'));
      const range = document.createRange();
      range.selectNodeContents(line);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      const rows = Map.groupBy(rects, ({ bottom }) => Math.round(bottom));
      return [...rows.values()].map((row) => Math.min(...row.map(({ left }) => left)));
    })()`);
    const [first = 0, ...others] = starts as number[];
    assert.ok(others.length > 1);
    assert.ok(
      others.every((left) => left > first),
      `${starts}`,
    );
  });

  it('nothing is wider than the window, and the bar of a phone says where one is', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'createPet');
    if (!page) return;
    for (const width of [320, 390, 721, 768, 1181, 1280, 1600, 2560]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('link', { name: 'Order an animal POST' }).click();
    await eventuallyEqual(() => page.locator('.here').innerText(), 'Order an animal\nStore');
    assert.equal(await page.getByRole('navigation', { name: 'Contents' }).isVisible(), false);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('idempotency');
    await page.getByRole('option', { name: /^Idempotency guide/ }).click();
    await eventuallyEqual(() => page.locator('.here').innerText(), 'Idempotency\nGuides');
  });
});
