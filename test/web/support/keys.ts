import type { Page } from 'playwright-core';
import { eventuallyEqual } from '../../support/eventually.ts';
import type { Service } from '../../support/service/service.ts';
import { button } from './console.ts';

/** What each role may do. */
export const TILL = ['pets:read', 'store:write', 'events:read'];
export const LOOK_ONLY = ['pets:read', 'store:read', 'events:read'];

/** A new key that works already. */
export async function keyWith(
  service: Service,
  scopes: readonly string[],
  name = 'till 3',
  endsIn?: number,
): Promise<string> {
  const expiresAt = endsIn === undefined ? undefined : inDays(endsIn).toISOString();
  const body = { name, scopes, expiresAt };
  const { key } = (await service.call('POST', '/v1/keys', { body })).json as { key: string };
  await eventuallyEqual(() => works(service, key, '/v1/keys/current'), 200);
  return key;
}

/** At noon, so many days from today. */
export function inDays(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
}

/** The status of a call with this key. */
export const works = async (service: Service, key: string, path = '/v1/pets'): Promise<number> =>
  (await service.call('GET', path, { key })).status;

/** The row of a key. */
export const keyRow = (page: Page, name: string) => page.locator('.rows.keys .row', { hasText: name });
export const edit = (page: Page, name: string) => button(page, new RegExp(`^Edit .?${name}`)).click();
export const dialog = (page: Page, title: RegExp) => page.getByRole('dialog', { name: title });
export const role = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });

/** The key that is shown once. */
export const shownSecret = async (page: Page): Promise<string> =>
  (await page.locator('.secret span').allInnerTexts()).join('');

/** The pages that a key may open, as the header names them. */
export const pages = (page: Page): Promise<string[]> => page.locator('.nav > a').allInnerTexts();
