import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { animalNames, button, names, openConsole, tab } from './support/console.ts';

/** Names that a spreadsheet would run, or that would break a row. */
const HOSTILE = [
  '=1+1',
  '@SUM(A1)',
  '-2+3',
  "'=quoted already",
  'Rex "the dog", Jr.',
  'Line\nbreak',
  'رِكس',
  '<b>Rex</b>',
];

async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  assert.match(file.suggestedFilename(), /^animals-\d{4}-\d\d-\d\d\.csv$/);
  return readFile(await file.path(), 'utf8');
}

const NAME = `${'Maximilian Bartholomew Fitzgerald the Third '.repeat(3)}${'y'.repeat(100)}`;
const NOTE = 'for Ms Lee, Friday after five, who brings her own basket and a vaccination card. '.repeat(4);

/** Reserved animals with long names and notes, in categories with long names and with none. */
async function addLongTexts(service: Service): Promise<void> {
  await service.call('PUT', '/v1/categories/1', {
    body: { name: 'Rabbits and other small mammals '.repeat(3) },
  });
  for (const categoryId of ['1', '-9223372036854775808'])
    await service.call('POST', '/v1/pets', { raw: `{"name":"${NAME}","categoryId":${categoryId}}` });
  for (const petId of [1, 2]) await service.call('POST', '/v1/store/orders', { body: { petId, note: NOTE } });
}

/** The texts on paper that are cut or lie outside of it. */
const cutTexts = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('.page :not(:has(*))')].flatMap((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    if (width === 0 || one.closest('.visually-hidden') || one.textContent === '') return [];
    const isCut = one.clientWidth > 0 && one.scrollWidth > one.clientWidth;
    return isCut || left < 0 || right > innerWidth ? [one.outerHTML.slice(0, 60)] : [];
  })`);

/** What a person reads in a spreadsheet, row by row. */
async function downloadRows(page: Page): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = parse(await download(page), { bom: true, columns: true });
  return rows;
}

const nameCategories = async (service: Service) => {
  await service.call('PUT', '/v1/categories/7', { body: { name: '=Dogs, "small"' } });
};

describe('Paper and spreadsheets', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('downloads every animal of the filter, for a spreadsheet', async (t) => {
    const sold = { name: 'Sold one', categoryId: 7, status: 'sold' };
    const given = [...animalNames(230), sold, ...HOSTILE, { name: 'Zoë', categoryId: 9 }];
    const prepare = async (service: Service) => {
      await nameCategories(service);
      await service.call('POST', '/v1/store/orders', { body: { petId: 230, note: 'for Ms Lee' } });
    };
    const { page } = (await openConsole(t, given, { prepare })) ?? {};
    if (!page) return;
    await eventuallyEqual(async () => (await names(page)).length, 50);
    const all = await downloadRows(page);
    assert.equal(all.length, given.length);
    assert.deepEqual(
      [all[0]?.Name, all[0]?.['Category id'], all[0]?.Category, all[0]?.Status],
      ['Zoë', '9', '', 'Available'],
    );
    const reserved = all.find(({ Status }) => Status === 'Reserved');
    assert.deepEqual([reserved?.Id, reserved?.Note], ['230', 'for Ms Lee']);
    assert.match(reserved?.['Reserved on'] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    for (const { Name = '', Category = '' } of all) assert.doesNotMatch(Name + Category, /^[=@-]/);
    await tab(page, 'Available').click();
    await page.waitForURL(/available/);
    await eventuallyEqual(() => page.locator('.list.stale').count(), 0);
    const available = await downloadRows(page);
    assert.equal(available.length, given.length - 2);
    assert.equal((await names(page)).length, 50, 'the list stays as it is');
  });

  it('finds in the download as on the page', async (t) => {
    const given = ['Kitten 10', 'Kitten 9', 'Luna', 'Kitten 1'];
    const { page } = (await openConsole(t, given, { path: '/#/animals?name=kitten' })) ?? {};
    if (!page) return;
    const wanted = ['Kitten 1', 'Kitten 9', 'Kitten 10'];
    await eventuallyEqual(() => names(page), wanted);
    assert.deepEqual(
      (await downloadRows(page)).map(({ Name }) => Name),
      wanted,
    );
  });

  it('says when the download could not be finished, and can be stopped', async (t) => {
    const { page, front } = (await openConsole(t, animalNames(230))) ?? {};
    if (!page || !front) return;
    await eventuallyEqual(async () => (await names(page)).length, 50);
    front.fault(/^GET \/v1\/pets\?.*cursor=/, { status: 503 });
    await button(page, 'Download CSV').click();
    await page.getByText('Not everything could be loaded. Try again.').waitFor();
    front.fault(/^GET \/v1\/pets\?.*cursor=/, { hold: true });
    await button(page, 'Download CSV').click();
    await page.getByText('100 so far…').waitFor();
    await button(page, 'Stop').click();
    await page.mouse.move(0, 0);
    front.fault();
    await button(page, 'Download CSV').waitFor();
    assert.equal((await download(page)).split('\r\n').length, 232);
  });

  for (const [width, paper] of Object.entries({ 718: 'upright', 1280: 'wide' }))
    it(`prints long names, notes and categories whole on ${paper} paper`, async (t) => {
      const { page } = (await openConsole(t, [], { prepare: addLongTexts })) ?? {};
      if (!page) return;
      await page.setViewportSize({ width: Number(width), height: 1000 });
      const check = async (what: string) => {
        await page.emulateMedia({ media: 'print' });
        assert.deepEqual(await cutTexts(page), [], what);
        assert.equal((await page.locator('.page').innerText()).split(NOTE.trim()).length, 3, what);
        await page.emulateMedia({ media: null });
      };
      await eventuallyEqual(() => page.locator('.row .note').count(), 2);
      await check('the list of animals');
      await page.evaluate('window.print = () => (document.title = "printed")');
      await button(page, 'Print').click();
      await eventuallyEqual(() => page.title(), 'printed');
      await check('all animals');
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
    });

  for (const way of ['the button', 'the keyboard'])
    it(`prints every animal of the filter, and nothing to press, by ${way}`, async (t) => {
      const { page } = (await openConsole(t, [...animalNames(230), '<b>Rex</b>'])) ?? {};
      if (!page) return;
      await eventuallyEqual(async () => (await names(page)).length, 50);
      await page.evaluate('window.print = () => (document.title = "printed")');
      if (way === 'the keyboard') await page.keyboard.press('Control+p');
      else await button(page, 'Print').click();
      await eventuallyEqual(() => page.title(), 'printed');
      await page.emulateMedia({ media: 'print' });
      const rows = page.locator('.paper tbody tr');
      assert.equal(await rows.count(), 231);
      assert.deepEqual((await rows.first().innerText()).split('\t'), ['<b>Rex</b>', '7', 'Available', '231']);
      assert.match(
        await page.locator('.paper p').innerText(),
        /^231 animals on \w+day \d+ \w+ \d{4}, \d\d:\d\d$/,
      );
      const shown = page.locator(':is(button, input, select, nav, .list):visible');
      assert.deepEqual(await shown.allInnerTexts(), []);
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      await eventuallyEqual(() => rows.count(), 0);
      assert.equal((await names(page)).length, 50);
    });
});
