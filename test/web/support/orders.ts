import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import type { Service } from '../../support/service/service.ts';
import { button } from './console.ts';

/** A list of the page of orders: `Reserved` or `Sold`. */
export const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const namesIn = (page: Page, name: string) => card(page, name).locator('.row .name b').allInnerTexts();
export const head = (page: Page, name: string): Promise<string> =>
  card(page, name).locator('.bar h2').innerText();
/** The row of an animal in one of the lists. */
export const rowIn = (page: Page, list: string, name: string) =>
  card(page, list)
    .locator('.row')
    .filter({ has: page.locator('.name b').getByText(name, { exact: true }) });
/** When, note and who. */
export const cells = async (row: Locator): Promise<string[]> =>
  (await row.locator('.cells > *').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
/** The button that does something with an animal. Its name is isolated, for names of another direction. */
export const action = (page: Page, what: string, name: string) =>
  button(page, new RegExp(`^${what} \u2068?${name}(?:\u2069|$)`));
/** What can be pressed in a row. */
export const buttons = (row: Locator): Promise<string[]> => row.locator('.actions button').allInnerTexts();

export const reserve = (service: Service, petId: number, note?: string) =>
  service.call('POST', '/v1/store/orders', { body: { petId, note } });
export const sell = (service: Service, petId: number) =>
  service.call('POST', '/v1/store/orders', { body: { petId, status: 'completed' } });

/** Presses CSV: the name of the file, and its lines. */
export async function downloadCsv(page: Page): Promise<{ name: string; text: string; lines: string[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()]);
  const text = await readFile(await file.path(), 'utf8');
  return { name: file.suggestedFilename(), text, lines: text.replace('\ufeff', '').trim().split('\r\n') };
}
