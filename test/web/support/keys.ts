import type { Page } from 'playwright-core';
import { eventuallyEqual } from '../../support/eventually.ts';
import type { Service } from '../../support/service/service.ts';

/** A new key that works already. */
export async function keyWith(service: Service, scopes: readonly string[], name = 'till 3'): Promise<string> {
  const { key } = (await service.call('POST', '/v1/keys', { body: { name, scopes } })).json as {
    key: string;
  };
  await eventuallyEqual(() => works(service, key, '/v1/keys/current'), 200);
  return key;
}

/** The status of a call with this key. */
export const works = async (service: Service, key: string, path = '/v1/pets'): Promise<number> =>
  (await service.call('GET', path, { key })).status;

/** The row of the keys with this text, such as its name or its id. */
export const keyRow = (page: Page, text: string) => page.locator('.key-row', { hasText: text });

/** The key that is shown once. */
export const shownSecret = async (page: Page): Promise<string> =>
  (await page.locator('.secret code span').allInnerTexts()).join('');
