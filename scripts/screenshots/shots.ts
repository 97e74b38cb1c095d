import type { Page } from 'playwright-core';
import type { Service } from './service.ts';
import { addTwo } from './week.ts';

const DESKTOP = { width: 1280, height: 860 };
const WIDE = { width: 1440, height: 940 };
const PHONE = { width: 390, height: 844 };

export interface Shop {
  readonly page: Page;
  readonly service: Service;
}

export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
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
  await page.locator('.row:has(.name), .activity .row').first().waitFor();
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
  await page.locator('.tabs a', { hasText: 'Reserved' }).getByText('8', { exact: true }).waitFor();
};

const select = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  for (const name of ['Maple', 'Pip', 'Otis']) {
    await page.locator('.row').filter({ hasText: name }).getByRole('checkbox').check();
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

/** Several animals were added, and the next one is being typed. */
const addSome = async (shop: Shop) => {
  const { page } = shop;
  await signIn(shop);
  await button(page, 'Add animals').first().click();
  const add = async (name: string, category: string, count = '1') => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Category', { exact: true }).fill(category);
    await page.getByLabel('How many').fill(count);
  };
  await add('Clover', 'Rabbits');
  await page.keyboard.press('Enter');
  await add('Bunny', 'Rabbits', '3');
  await page.keyboard.press('Enter');
  await page.locator('.added .row').nth(3).waitFor();
  const messages = await button(page, 'Close the message').all();
  for (const close of messages.reverse()) await close.click();
  await add('Duchess', 'Ragdolls');
};

const editKey = async (shop: Shop) => {
  await signIn(shop);
  await shop.page.locator('.row', { hasText: 'till 1' }).getByRole('button', { name: /^Edit/ }).click();
  await button(shop.page, 'Revoke').waitFor();
};

/** A call that was sent, with its answer. */
const tryIt = async ({ page, service }: Shop) => {
  const section = page.locator('section#getInventory');
  await section.getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('form', { name: 'Try getInventory', exact: true });
  await form.getByLabel('API key').fill(service.officeKey);
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('200').first().waitFor();
  await page.evaluate('document.getElementById("getInventory").scrollIntoView({ behavior: "instant" })');
};

const shot = (
  name: string,
  path: string,
  prepare?: Shot['prepare'],
  { viewport = DESKTOP, colorScheme = 'light' }: Partial<Pick<Shot, 'viewport' | 'colorScheme'>> = {},
): Shot => ({ name, path, viewport, colorScheme, ...(prepare && { prepare }) });

/** The order matters: what one shot does is visible in the shots after it. */
export const shots: readonly Shot[] = [
  shot('sign-in-light', '/'),
  shot('animals-light', '/', work),
  shot('animals-dark', '/', signIn, { colorScheme: 'dark' }),
  shot('console-phone', '/', signIn, { viewport: PHONE }),
  shot('selection-light', '/', select),
  shot('panel-light', '/#/animals?status=pending', openPanel),
  shot('add-light', '/', addSome),
  shot('edit-light', '/', openEdit),
  shot('orders-light', '/#/orders?sold=week', signIn, { viewport: { ...DESKTOP, height: 1240 } }),
  shot('orders-phone-dark', '/#/orders', signIn, { viewport: PHONE, colorScheme: 'dark' }),
  shot('activity-light', '/#/activity', signIn),
  shot('categories-light', '/#/categories', signIn),
  shot('keys-light', '/#/keys', editKey),
  shot('reference-light', '/docs#listPets', undefined, { viewport: WIDE }),
  shot('reference-dark', '/docs#getInventory', tryIt, { viewport: WIDE, colorScheme: 'dark' }),
  shot('reference-phone', '/docs#createPet', undefined, { viewport: PHONE }),
];
