import type { Page } from 'playwright-core';
import type { Service } from './service.ts';
import { addTwo } from './week.ts';

const DESKTOP = { width: 1280, height: 860 };
const WIDE = { width: 1440, height: 940 };
const PHONE = { width: 390, height: 844 };

/** What a screenshot is taken of. */
export interface Shop {
  readonly page: Page;
  readonly service: Service;
}

export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
  /** What is done before. */
  readonly prepare?: (shop: Shop) => Promise<unknown>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const openAnimal = (page: Page, name: string) =>
  page
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .first()
    .click();

const signIn = async ({ page, service }: Shop) => {
  await page.getByLabel('API key').fill(service.officeKey);
  await button(page, 'Sign in').click();
  await page.locator('.row, .event, .key-row').first().waitFor();
};

/** A reservation that can be undone, and animals that came in at another till meanwhile. */
const work = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  await button(page, /^Reserve .*Clementine/).click();
  await page.getByText('Undo').waitFor();
  await addTwo(shop.service);
  await page.getByText(/2 new/).waitFor();
  // The animals are counted again a moment later.
  await page.locator('.tab', { hasText: 'Reserved' }).getByText('8', { exact: true }).waitFor();
};

const select = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  for (const name of ['Maple', 'Noodle', 'Otis']) {
    const row = page.locator('.row').filter({ hasText: name });
    await row.hover();
    await row.getByRole('checkbox').check();
  }
  await page.getByText('3 selected').waitFor();
};

const openPanel = async (shop: Shop) => {
  await signIn(shop);
  await openAnimal(shop.page, 'Biscuit');
  await button(shop.page, 'Cancel reservation').waitFor();
  await shop.page.locator('.history').waitFor();
};

const openEdit = async (shop: Shop) => {
  await signIn(shop);
  await openAnimal(shop.page, 'Hazel');
  await button(shop.page, 'Edit').click();
  await shop.page.getByLabel('Name', { exact: true }).fill('Hazelnut');
};

const addLitter = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  await button(page, 'Add an animal').first().click();
  await page.getByLabel('Name', { exact: true }).fill('Kitten');
  await page.getByLabel('How many?').fill('12');
  await page.getByRole('dialog').getByLabel('Category', { exact: true }).fill('Ca');
};

/** A new key, shown once. */
const createKey = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  await page.getByLabel('Who or what is it for?').fill('till 4');
  await button(page, 'Create key').click();
  await page.getByRole('heading', { name: /^The key for/ }).waitFor();
};

/** The categories, once all of them are counted. */
const countCategories = async (shop: Shop) => {
  await signIn(shop);
  await shop.page.locator('.row', { hasText: 'No name yet' }).locator('.n').first().waitFor();
};

/** A call that was sent, with its answer. */
const tryIt = async ({ page, service }: Shop) => {
  const section = page.locator('section#getInventory');
  await section.getByRole('button', { name: 'Try it with your key' }).click();
  const form = page.getByRole('form', { name: 'Try getInventory', exact: true });
  await form.getByLabel('API key').fill(service.officeKey);
  await button(page, 'Send GET').click();
  await form.getByText('200 OK').waitFor();
  await page.evaluate('document.getElementById("getInventory").scrollIntoView({ behavior: "instant" })');
};

const shot = (
  name: string,
  path: string,
  prepare?: Shot['prepare'],
  { viewport = DESKTOP, colorScheme = 'light' }: Partial<Pick<Shot, 'viewport' | 'colorScheme'>> = {},
): Shot => ({ name, path, viewport, colorScheme, ...(prepare && { prepare }) });

/** In this order: what one of them does is in those that follow. */
export const shots: readonly Shot[] = [
  shot('sign-in-light', '/'),
  shot('animals-light', '/', work),
  shot('animals-dark', '/', signIn, { colorScheme: 'dark' }),
  shot('console-phone', '/', signIn, { viewport: PHONE }),
  shot('selection-light', '/', select),
  shot('panel-light', '/', openPanel),
  shot('add-litter-light', '/', addLitter),
  shot('edit-light', '/', openEdit),
  shot('orders-light', '/#/orders?sold=week', signIn, { viewport: { ...DESKTOP, height: 1240 } }),
  shot('orders-phone-dark', '/#/orders', signIn, { viewport: PHONE, colorScheme: 'dark' }),
  shot('activity-light', '/#/activity', signIn),
  shot('categories-light', '/#/categories', countCategories),
  shot('removed-light', '/#/removed', signIn),
  shot('keys-light', '/#/keys', createKey),
  shot('reference-light', '/docs#listPets', undefined, { viewport: WIDE }),
  shot('reference-dark', '/docs#getInventory', tryIt, { viewport: WIDE, colorScheme: 'dark' }),
  shot('reference-phone', '/docs#createPet', undefined, { viewport: PHONE }),
];
