import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { AnimalStore } from '../src/client/index.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { print, runCommand } from './command.ts';
import { startService } from './contenders/service.ts';
import { measurePage } from './measure/page.ts';
import { KEY } from './workloads/calls.ts';

/**
 * node bench/console.ts [ANIMALS]: opens the console in Chromium, loads as many rows as it shows, scrolls through them, changes an animal
 * elsewhere, searches, prints, and changes the view 120 times. Prints how smooth the page was meanwhile, and how large it is.
 */
const ANIMALS = Number(process.argv[2] ?? 10_000);
const VIEWPORT = { width: 1280, height: 860 };
/** About a screen in each frame, as with a strong flick of the wheel. */
const SCROLL_STEP = 800;

const VIEW_CHANGES = 120;
const SEARCHES = 11;
const VIEWS = [
  ['animals?status=all', 'Animals'],
  ['orders', 'Orders'],
  ['activity', 'Activity'],
  ['animals?status=sold', 'Animals'],
] as const;

const SHOW_ALL = `new Promise((done) => {
  const step = () => {
    const link = document.querySelector('.end-of-list button:not([data-csv])');
    if (link?.innerText === 'Show more') link.click();
    if (link) requestAnimationFrame(step);
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

/** Looks at one row in each frame: a locator would search all of them, in a task that is not the page's. */
const UNTIL_RENAMED = `(text) => new Promise((done) => {
  const look = () => {
    if (document.querySelector('.row .name b').textContent === text) done();
    else requestAnimationFrame(look);
  };
  look();
})`;

const TIME_SEARCH = `(text) => new Promise((done) => {
  const input = document.querySelector('#search');
  const begunAt = performance.now();
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  const look = () => {
    const rows = document.querySelectorAll('.row');
    if (rows.length === 1) done(performance.now() - begunAt);
    else requestAnimationFrame(look);
  };
  look();
})`;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-console-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'pets.db')}`;
  await runCommand(url, 'seed', `${ANIMALS}`, '--create');
  const { port } = await startService(folder, url);
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
  await report('load all rows', () => page.evaluate(SHOW_ALL));
  await report('scroll through them', () => page.evaluate(SCROLL_THROUGH));
  await page.evaluate('scrollTo(0, 0)');
  const store = new AnimalStore({ baseUrl: `${origin}/v1`, apiKey: KEY });
  await report('a change elsewhere', async () => {
    await store.updatePet(ANIMALS, { name: 'Renamed elsewhere' });
    await page.evaluate(`(${UNTIL_RENAMED})('Renamed elsewhere')`);
    // The list is asked for again a moment later.
    await page.waitForResponse(/\/inventory/);
  });
  await timePrint(page, 'print the rows');
  await timeSearch(page);
  await report(`${VIEW_CHANGES} changes of view`, async () => {
    for (let change = 0; change < VIEW_CHANGES; change++) {
      const [view, title] = VIEWS[change % VIEWS.length] ?? ['animals', 'Animals'];
      await page.evaluate(`location.hash = '#/${view}'`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.locator('[aria-busy=false]').first().waitFor();
    }
  });
}

/** From the last letter to the rows that were found, by the clock of the page. */
async function timeSearch(page: Page): Promise<void> {
  const times: number[] = [];
  for (let number = 1; number <= SEARCHES; number++) {
    const name = `Renamed ${number % 2 === 0 ? 'else' : 'elsewhere'}`;
    await page.locator('#search').fill('');
    await page.locator('.row').nth(1).waitFor();
    times.push(Number(await page.evaluate(`(${TIME_SEARCH})(${JSON.stringify(name)})`)));
  }
  const median = times.sort((a, b) => a - b)[SEARCHES >> 1] ?? 0;
  print(`a search: ${median.toFixed(0)} ms (median of ${SEARCHES}), at most ${times.at(-1)?.toFixed(0)} ms`);
}

async function timePrint(page: Page, what: string): Promise<void> {
  const begunAt = performance.now();
  const { length } = await page.pdf();
  const seconds = (performance.now() - begunAt) / 1000;
  print(`${what}: ${seconds.toFixed(1)} s, ${(length / 1e6).toFixed(1)} MB`);
}
