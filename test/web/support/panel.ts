import type { Page } from 'playwright-core';
import type { Service } from '../../support/service/service.ts';
import { link } from './console.ts';

/** The panel of an animal, or the one that adds some. */
export const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
export const inPanel = (page: Page, name: string | RegExp) =>
  page.locator('.panel').getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

export async function openPanel(page: Page, name: string): Promise<void> {
  await link(page, name).click();
  await panel(page, name).getByRole('heading', { name, level: 2 }).waitFor();
}
/** Waits until no panel is open. */
export const closed = (page: Page): Promise<void> => page.locator('.panel').waitFor({ state: 'detached' });

/** The state of the animal in the panel. */
export const panelState = (page: Page): Promise<string> => page.locator('.panel .facts .state').innerText();

/** What the history in the panel says, the latest first, without times. */
export const historyTexts = (page: Page): Promise<string[]> =>
  page.locator('.panel .history .state > span').allInnerTexts();

export const noteField = (page: Page) => page.getByLabel('Note', { exact: true });
export const categoryField = (page: Page) =>
  page.locator('.panel').getByRole('combobox', { name: 'Category', exact: true });

interface StoredAnimal {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

/** The animals of the service, the newest first. */
export const storedAnimals = async (service: Service, query = ''): Promise<StoredAnimal[]> =>
  (await service.call('GET', `/v1/pets${query}`)).json as StoredAnimal[];

/** Status and note of every order of the service, the newest first. */
export const storedOrders = async (service: Service): Promise<[string, string | undefined][]> =>
  ((await service.call('GET', '/v1/store/orders')).json as { status: string; note?: string }[]).map(
    ({ status, note }) => [status, note],
  );
