import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { animalNames, button, closeOrder, message, openConsole } from './support/console.ts';
import { cutTexts } from './support/cut-texts.ts';
import { keyWith, TILL } from './support/keys.ts';
import { reserve, sell } from './support/orders.ts';
import { openPanel } from './support/panel.ts';

const DATE = '\\w+day \\d+ \\w+ \\d{4}';
const NAME = `${'Maximilian Bartholomew Fitzgerald the Third '.repeat(3)}${'y'.repeat(100)}`;
const NOTE = 'for Ms Lee, Friday after five, who brings her own basket. '.repeat(6).trim();
const CATEGORY = 'Rabbits and other small mammals '.repeat(3).trim();

const seed = async (service: Service) => {
  await service.call('PUT', '/v1/categories/7', { body: { name: CATEGORY } });
  await reserve(service, 1, NOTE);
  for (const id of [2, 3]) await sell(service, id);
  await closeOrder(service, 3, 'returned');
  await keyWith(service, TILL);
};

/** What one would press, what the browser has not laid out, and what is not on white. */
const WRONG = `[...document.querySelectorAll('body, body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.matches('button, input, select, nav a:not([aria-current])') ||
    (one.matches('.row *') && !one.checkVisibility({ contentVisibilityAuto: true })) ||
    (one.matches('body, .card, .row') && !/255, 255, 255|, 0\\)/.test(getComputedStyle(one).backgroundColor)))
  .map((one) => one.outerHTML.slice(0, 160))`;

describe('Paper', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const [width, paper] of Object.entries({ 718: 'upright', 1047: 'sideways' }))
    it(`has the page, light and whole, without what one would press, ${paper}`, async (t) => {
      const given = [NAME, 'Rex', 'Luna', ...animalNames(30)];
      const options = { prepare: seed, path: '/#/animals?status=all', colorScheme: 'dark' } as const;
      const { page } = (await openConsole(t, given, options)) ?? {};
      if (!page) return;
      await button(page, /^Reserve .*Animal 30/).click();
      await message(page, 'Animal 30 is reserved.');
      await openPanel(page, 'Animal 30');
      await page.setViewportSize({ width: Number(width), height: 1000 });
      await page.emulateMedia({ media: 'print' });
      for (const [view, text] of [
        ['animals?status=all&animal=33', `^Animals ${DATE} All 33 .*Animal 30 33 .*${NAME} 1 .*${NOTE}$`],
        [
          'orders',
          `^Orders ${DATE} Reserved 2 .*${NOTE}.* Sold on ${DATE}: 1, returned: 1 Sold 1 Today .*Rex`,
        ],
        ['activity', `^Activity ${DATE} Today .*Animal 30 was reserved`],
        ['categories', `^Categories ${DATE} .*${CATEGORY} .*All animals`],
        ['keys', `^Keys ${DATE} .*till 3`],
      ] as const) {
        await page.evaluate(`location.hash = '#/${view}'`);
        await eventually(async () => {
          const shown = await page.locator('main').innerText();
          return new RegExp(text).test(shown.replaceAll(/\s+/g, ' ').trim());
        }, text);
        assert.deepEqual(await page.evaluate(WRONG), [], view);
        assert.deepEqual(await cutTexts(page), [], view);
      }
    });
});
