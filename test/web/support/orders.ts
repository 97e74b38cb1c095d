import type { Page } from 'playwright-core';
import { row } from './console.ts';

/** A card of the page of orders, such as `Reserved`. */
export const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const namesIn = (page: Page, name: string) => card(page, name).locator('.name').allInnerTexts();
export const head = async (page: Page, name: string): Promise<string> =>
  plain(await card(page, name).locator('.part h2').innerText());
/** The status and the times of an order, or what an action in its row has led to. */
export const result = async (page: Page, name: string): Promise<string> =>
  plain(await row(page, name).locator('.row-state, .two').innerText());

/** Without the marks that isolate names of another direction, in one line. */
export const plain = (text: string): string =>
  text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
