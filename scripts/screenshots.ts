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
const CATEGORIES = [1n, 2n, 3n, 7n, 12n];

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const signIn = async (page: Page) => {
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.pet-name').first().waitFor();
};

const openForm = async (page: Page) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Add an animal' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Captain Whiskers');
  await page.getByRole('button', { name: 'Add animal' }).click();
  await page.getByText('Enter the category').waitFor();
};

const tryIt = async (page: Page) => {
  const form = page.getByRole('form', { name: 'Try listPets' });
  await form.getByLabel('API key').fill(KEY);
  await form.getByLabel('limit').fill('2');
  await form.getByRole('button', { name: 'Send GET' }).click();
  await form.getByText('200 OK').waitFor();
  await page.locator('#listPets').scrollIntoViewIfNeeded();
  await page.evaluate('document.getElementById("listPets").scrollIntoView({ behavior: "instant" })');
};

const shots: readonly Shot[] = [
  { name: 'sign-in-light', path: '/', colorScheme: 'light', viewport: DESKTOP },
  { name: 'console-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: signIn },
  { name: 'console-dark', path: '/', colorScheme: 'dark', viewport: DESKTOP, prepare: signIn },
  { name: 'console-phone', path: '/', colorScheme: 'light', viewport: PHONE, prepare: signIn },
  { name: 'console-form-light', path: '/', colorScheme: 'light', viewport: DESKTOP, prepare: openForm },
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

async function fillShop(origin: string): Promise<void> {
  const store = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: KEY });
  for (let index = 0; index < 64; index++) {
    const name = `${NAMES[index % NAMES.length]}${index < NAMES.length ? '' : ' II'}`;
    const categoryId = CATEGORIES[index % CATEGORIES.length] ?? 1n;
    await store.createPet({ name, categoryId, status: index % 4 === 2 ? 'sold' : 'available' });
  }
  await store.createPet({ name: 'Atlas', categoryId: 2n ** 63n - 1n });
  for (const petId of [50n, 52n, 56n, 60n, 62n, 64n]) await store.createOrder({ petId });
  await store.updateOrder(1n, { status: 'completed' });
  await store.updateOrder(2n, { status: 'cancelled' });
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
