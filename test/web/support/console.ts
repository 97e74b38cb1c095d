import { it, type TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage, type PageOptions, setHidden, signIn } from '../../support/browser.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { type Front, startFront } from '../../support/service/front.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';

const OTHER_KEY = 'another-key-of-the-suite';

interface Console {
  readonly page: Page;
  readonly service: Service;
  /** A proxy between the page and the service that can misbehave. */
  readonly front: Front;
  /** What the service has refused the page: nothing may be asked for that the key does not open. */
  readonly refused: readonly string[];
  /** The key of the person. */
  readonly key: string;
}

interface ConsoleOptions extends PageOptions {
  readonly path?: string;
  readonly key?: string | ((service: Service) => Promise<string>);
  /** The names of categories, by their ids. */
  readonly categories?: Readonly<Record<number, string>>;
  /** Stay signed in on this device. */
  readonly keep?: boolean;
  readonly prepare?: (service: Service) => Promise<unknown>;
}

/** Names, or whole bodies of creates. */
type Animals = readonly (string | object)[];

/** A test of the console, signed in, with these animals. */
export function inConsole(
  name: string,
  { animals = [], ...options }: ConsoleOptions & { readonly animals?: Animals },
  test: (opened: Console) => Promise<void>,
): void {
  it(name, async (t) => {
    const opened = await openConsole(t, animals, options);
    if (opened) await test(opened);
  });
}

/** The console, signed in, with these animals. */
export async function openConsole(
  t: TestContext,
  animals: Animals = [],
  { path = '/', key: given = KEY, categories = {}, keep = false, prepare, ...options }: ConsoleOptions = {},
): Promise<Console | undefined> {
  const service = await startService(t, {
    database: 'sqlite::memory:',
    config: { apiKeys: [KEY, OTHER_KEY] },
  });
  for (const [id, name] of Object.entries(categories))
    await service.call('PUT', `/v1/categories/${id}`, { body: { name } });
  await addAnimals(service, animals);
  await prepare?.(service);
  const front = await startFront(t, service.port);
  const page = await openPage(t, front.origin + path, options);
  if (!page) return undefined;
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
  if (keep) await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
  const key = typeof given === 'string' ? given : await given(service);
  await signIn(page, key);
  return { page, service, front, refused, key };
}

export async function addAnimals(service: Service, animals: Animals): Promise<void> {
  for (const animal of animals) {
    const body = typeof animal === 'string' ? { name: animal, categoryId: 7 } : animal;
    await service.call('POST', '/v1/pets', { body });
  }
}

export const animalNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Animal ${index + 1}`);

/** Adds so many animals, a hundred with each request. */
export async function addMany(service: Service, count: number): Promise<void> {
  const all = animalNames(count).map((name) => ({ name, categoryId: 7 }));
  for (let from = 0; from < count; from += 100)
    await service.call('POST', '/v1/pets/batch', { body: { pets: all.slice(from, from + 100) } });
}

export const order = (service: Service, petId: number) =>
  service.call('POST', '/v1/store/orders', { body: { petId } });
export const closeOrder = (service: Service, id: number, status: string) =>
  service.call('PATCH', `/v1/store/orders/${id}`, { body: { status } });

/** How many orders there are. */
export const orderCount = async (service: Service): Promise<number> =>
  ((await service.call('GET', '/v1/store/orders?limit=100')).json as unknown[]).length;

/** The names of all rows. Those far from the screen are not laid out: they have no inner text. */
export const names = (page: Page): Promise<string[]> => page.locator('.page .row .name b').allTextContents();
export const row = (page: Page, name: string) =>
  page.locator('.page .row').filter({ has: page.locator('.name b').getByText(name, { exact: true }) });
/** The name in a row, which opens the panel. */
export const link = (page: Page, name: string) => row(page, name).locator('a.name');
/** Waits until the focus is there. */
export const focused = (of: Locator): Promise<void> =>
  eventuallyEqual(() => of.evaluate((one) => one === one.ownerDocument.activeElement), true);
export const search = (page: Page) => page.locator('#search');
/** Where every row is on the screen. */
export const positions = (page: Page): Promise<number[]> =>
  page.locator('.page .row').evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
/** The state of a row, or what is being done with it. */
export const state = (page: Page, name: string): Promise<string> =>
  row(page, name).locator('.state').innerText();
/** What the messages say, without the marks that isolate the direction of names. */
export const messages = async (page: Page): Promise<string[]> =>
  (await page.locator('.message > span').allInnerTexts()).map((text) =>
    text.replaceAll(/[\u2068\u2069]/g, ''),
  );
/** Waits until a message says this, and no other text. */
export const message = (page: Page, text: string): Promise<void> =>
  eventually(async () => (await messages(page)).includes(text), `the message “${text}”`);
/** Clicks, and waits for the message that this is done. */
export async function clickFor(of: Locator, text: string): Promise<void> {
  await of.click();
  await message(of.page(), text);
}
export const undo = (page: Page, what: string) => button(page, new RegExp(`^Undo:? .*${what}`));
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const reserveButton = (page: Page, name: string) => button(page, new RegExp(`^Reserve .*${name}`));
export const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: new RegExp(`^${name}`) });
export const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
/** The way out is behind the name of the key. */
export async function signOut(page: Page): Promise<void> {
  await button(page, /^Menu of/).click();
  await button(page, /^Sign out/).click();
}
/** The numbers of the tabs: available, reserved, sold, all. */
export const counts = (page: Page): Promise<string[]> => page.locator('.tabs b').allInnerTexts();

/** As when the person comes back to the tab: the page loads at once instead of in a few seconds. */
export async function returnTo(page: Page): Promise<void> {
  await setHidden(page, true);
  await setHidden(page, false);
}

/** Brings the page up to date, and waits until it is. */
export async function refresh({ page, front }: Pick<Console, 'page' | 'front'>): Promise<void> {
  const loaded = page.waitForResponse(/\/inventory/);
  await returnTo(page);
  await loaded;
  // What the page shows follows from the answers: all of them have arrived, and it asks for nothing more.
  await eventuallyEqual(async () => {
    const before = front.requests.length;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return front.pending() === 0 && front.requests.length === before;
  }, true);
}

export async function fillForm(page: Page, name: string, category = '7'): Promise<void> {
  if (!(await page.getByRole('dialog', { name: 'Add animals' }).isVisible()))
    await button(page, 'Add animals').first().click();
  await nameField(page).fill(name);
  await page.getByRole('dialog').getByLabel('Category', { exact: true }).fill(category);
}

export const nameField = (page: Page) => page.getByLabel('Name', { exact: true });
export const add = (page: Page) => page.getByRole('button', { name: 'Add', exact: true }).click();
