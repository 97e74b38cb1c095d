import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { AnimalStore } from '../src/client/index.ts';

/**
 * Takes the screenshots in docs/screenshots/ from the real service with data of a small shop. It needs Chromium, and a good
 * system font for good results.
 */
const FOLDER = join(import.meta.dirname, '../docs/screenshots');
const KEY = 'a-key-for-the-screenshots';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none'];
const DESKTOP = { width: 1280, height: 860 };
const WIDE = { width: 1440, height: 940 };
const PHONE = { width: 390, height: 844 };

const NAMES =
  'Rex Bella Luna Milo Coco Nala Oscar Daisy Simba Poppy Ziggy Hazel Biscuit Pepper Mango Olive Tofu Waffles Juniper Pebbles Noodle Clover Kiwi Maple Basil Willow Pip Truffle Juno Figaro Otis Suki Remy Sage Marble Ruby Felix Cleo Archie Dottie'.split(
    ' ',
  );
const CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Reptiles', 'Rabbits', 'Fish'];
const NOTES = new Map([
  [26n, 'deposit paid; the cage goes with it'],
  [34n, 'Mr Okafor collects on Wednesday'],
  [35n, 'for Ms Lee, Friday'],
]);

/** The key that signs in: one with a name that a shop would give it. */
let officeKey = KEY;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const signIn = async (page: Page) => {
  await page.getByLabel('API key').fill(officeKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.row').first().waitFor();
};

/** A reservation that can be undone, and animals that were added at another till meanwhile. */
const work = async (page: Page) => {
  await signIn(page);
  await page.getByRole('button', { name: /^Reserve .*Ruby/ }).click();
  await page.getByText('Undo').waitFor();
  await page.mouse.move(0, 0);
};

const openPanel = async (page: Page) => {
  await signIn(page);
  await page.getByRole('link', { name: /^Marble/ }).click();
  await page.getByRole('button', { name: 'Cancel reservation' }).waitFor();
};

/** The form that corrects an animal. */
const openEdit = async (page: Page) => {
  await signIn(page);
  await page.getByRole('link', { name: /^Cleo/ }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
};

const openForm = async (page: Page) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Add an animal' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Thumper');
  await page.getByLabel('Category', { exact: true }).fill('Rabbits');
};

const tryIt = async (page: Page) => {
  const form = page.getByRole('form', { name: 'Try listPets', exact: true });
  await form.getByLabel('API key').fill(KEY);
  await form.getByLabel('limit').fill('2');
  await form.getByRole('button', { name: 'Send GET' }).click();
  await form.getByText('200 OK').waitFor();
  await page.locator('#listPets').scrollIntoViewIfNeeded();
  await page.evaluate('document.getElementById("listPets").scrollIntoView({ behavior: "instant" })');
};

/** A new key, shown once. */
const createKey = async (page: Page) => {
  await signIn(page);
  await page.getByLabel('Who or what is it for?').fill('till 4');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: /^The key for/ }).waitFor();
  await page.mouse.move(0, 0);
};

const shots: readonly Shot[] = [
  { name: 'sign-in-light', path: '/', colorScheme: 'light', viewport: DESKTOP },
  { name: 'console-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: work },
  { name: 'console-dark', path: '/', colorScheme: 'dark', viewport: DESKTOP, prepare: signIn },
  { name: 'console-phone', path: '/', colorScheme: 'light', viewport: PHONE, prepare: signIn },
  { name: 'panel-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: openPanel },
  { name: 'console-form-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: openForm },
  { name: 'edit-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: openEdit },
  {
    name: 'categories-light',
    path: '/#/categories',
    colorScheme: 'light',
    viewport: DESKTOP,
    prepare: signIn,
  },
  { name: 'activity-light', path: '/#/activity', colorScheme: 'light', viewport: DESKTOP, prepare: signIn },
  { name: 'keys-light', path: '/#/keys', colorScheme: 'light', viewport: DESKTOP, prepare: createKey },
  { name: 'orders-light', path: '/#/orders', colorScheme: 'light', viewport: DESKTOP, prepare: signIn },
  { name: 'orders-phone-dark', path: '/#/orders', colorScheme: 'dark', viewport: PHONE, prepare: signIn },
  { name: 'reference-light', path: '/docs', colorScheme: 'light', viewport: WIDE, prepare: tryIt },
  { name: 'reference-dark', path: '/docs#getPet', colorScheme: 'dark', viewport: WIDE },
  { name: 'reference-phone', path: '/docs#createPet', colorScheme: 'light', viewport: PHONE },
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Every process accepts a new key within a second. */
async function accepted(origin: string, ...keys: readonly string[]): Promise<void> {
  for (const apiKey of keys) {
    const store = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey });
    while (!(await store.getCurrentKey().catch(() => undefined)));
  }
}

/** A day in the shop: some animals are sold, some are reserved. */
async function fillShop(origin: string): Promise<void> {
  const owner = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: KEY });
  const tillScopes = ['pets:read', 'store:write', 'events:read'] as const;
  officeKey = (await owner.createKey({ name: 'office', scopes: ['*'] })).key;
  const { key: tillKey } = await owner.createKey({ name: 'till 1', scopes: tillScopes });
  await owner.createKey({ name: 'shop window', scopes: ['pets:read'] });
  await accepted(origin, officeKey, tillKey);
  const store = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: officeKey });
  const till = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: tillKey });
  for (const [index, name] of CATEGORIES.entries()) await store.setCategory(index + 1, { name });
  for (const [index, name] of NAMES.entries()) {
    const categoryId = ((index * 5) % CATEGORIES.length) + 1;
    await store.createPet({ name, categoryId, status: index % 5 === 2 ? 'sold' : 'available' });
  }
  for (const petId of [30n, 31n, 26n, 34n, 35n, 39n]) {
    const note = NOTES.get(petId);
    await till.createOrder({ petId, ...(note !== undefined && { note }) });
  }
  await till.updateOrder(1n, { status: 'completed' });
  await till.updateOrder(2n, { status: 'cancelled' });
}

async function take(browser: Browser, origin: string, shot: Shot): Promise<void> {
  const { colorScheme, viewport } = shot;
  const context = await browser.newContext({
    colorScheme,
    viewport,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(origin + shot.path);
  await page.waitForLoadState('networkidle');
  await shot.prepare?.(page);
  await page.screenshot({ path: join(FOLDER, `${shot.name}.png`) });
  await context.close();
}

const folder = await mkdtemp(join(tmpdir(), 'animal-store-screenshots-'));
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const main = join(import.meta.dirname, '../src/main.ts');
const env = {
  ...process.env,
  PORT: `${port}`,
  API_KEYS: KEY,
  DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`,
};
const service = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  await once(service.stderr, 'data');
  await fillShop(origin);
  const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim();
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  for (const shot of shots) await take(browser, origin, shot);
  await browser.close();
} finally {
  service.kill();
  await once(service, 'exit');
  await rm(folder, { recursive: true });
}
