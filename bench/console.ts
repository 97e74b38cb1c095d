import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { AnimalStore } from '../src/client/index.ts';
import { KEY } from '../test/support/service/service.ts';
import { print, runCommand, startService } from './beside-clients.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { measurePage } from './measure/page.ts';

/**
 * node bench/console.ts [ANIMALS]: opens the console in Chromium, loads all animals with "Show more", scrolls through all of them, changes
 * one elsewhere, and prints all of them. Prints how smooth the page was meanwhile, and how large it is.
 */
const ANIMALS = Number(process.argv[2] ?? 10_000);
const VIEWPORT = { width: 1280, height: 860 };
/** About a screen in each frame, as with a strong flick of the wheel. */
const SCROLL_STEP = 800;

const SHOW_ALL = `new Promise((done) => {
  const step = () => {
    const buttons = [...document.querySelectorAll('.list-end button')];
    const more = buttons.find(({ innerText }) => innerText === 'Show more');
    if (more) more.click();
    if (more || buttons.some(({ innerText }) => innerText === 'Loading…')) requestAnimationFrame(step);
    else done();
  };
  step();
})`;
const SCROLL_THROUGH = `new Promise((done) => {
  scrollTo(0, 0);
  const step = () => {
    const before = scrollY;
    scrollBy(0, ${SCROLL_STEP});
    if (scrollY > before) requestAnimationFrame(step);
    else done();
  };
  requestAnimationFrame(step);
})`;

/** The page is printed to a file below; the window for that has no place here. */
const NO_WINDOW = 'window.printing = new Promise((done) => (window.print = done)), undefined';
/** What the browser does before and after its own command to print. */
const BEFORE_PRINT = `new Promise((done) => {
  dispatchEvent(new Event('beforeprint'));
  requestAnimationFrame(() => setTimeout(done));
})`;
const AFTER_PRINT = `dispatchEvent(new Event('afterprint'))`;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-console-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'pets.db')}`;
  await runCommand(url, 'seed', `${ANIMALS}`, '--create');
  const port = await startService(url);
  const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  onCleanup(() => browser.close());
  await measure(browser, `http://127.0.0.1:${port}`);
} finally {
  await cleanUp();
}

async function measure(browser: Browser, origin: string): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(origin);
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.row .name').first().waitFor();
  print(`${ANIMALS} animals, Chromium ${browser.version()}`);
  const report = async (what: string, work: () => Promise<unknown>) => {
    const seen = await measurePage(browser, page, work);
    const tasks = `longest task ${seen.longestTaskCpuMs.toFixed(0)} ms of CPU (${seen.longestTaskMs.toFixed(0)} ms by the clock)`;
    const long = `${seen.longTasks} tasks over 50 ms of CPU, ${seen.longFrames} of ${seen.frames} frames over 50 ms by the clock`;
    print(
      `${what}: ${tasks}; ${long}; ${seen.mostRows} rows on the page; heap ${(seen.heapBytes / 1e6).toFixed(1)} MB`,
    );
  };
  await report('load all', () => page.evaluate(SHOW_ALL));
  await report('scroll through all', () => page.evaluate(SCROLL_THROUGH));
  await page.evaluate('scrollTo(0, 0)');
  const store = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: KEY });
  await report('a change elsewhere', async () => {
    await store.updatePet(ANIMALS, { name: 'Renamed elsewhere' });
    await page.locator('.row').getByText('Renamed elsewhere').waitFor();
  });
  await page.evaluate(NO_WINDOW);
  await report('print all: gather them into a table', async () => {
    await page.getByRole('button', { name: 'Print' }).click();
    await page.evaluate('window.printing');
  });
  await timePrint(page, 'print all: the table on paper');
  await page.evaluate(AFTER_PRINT);
  await report("the browser's own print: show every row", () => page.evaluate(BEFORE_PRINT));
  await timePrint(page, "the browser's own print: the rows on paper");
}

async function timePrint(page: Page, what: string): Promise<void> {
  const begunAt = performance.now();
  const { length } = await page.pdf();
  const seconds = (performance.now() - begunAt) / 1000;
  print(`${what}: ${seconds.toFixed(1)} s, ${(length / 1e6).toFixed(1)} MB`);
}
