import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { PATIENCE_MS } from './eventually.ts';
import { KEY } from './service/service.ts';
import { hasTools } from './service/tools.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The installed Chromium. Without one this is undefined and the test is skipped; in CI it fails. */
export function chromiumPath(t: TestContext): string | undefined {
  if (!hasTools(t, 'chromium')) return undefined;
  return spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim();
}

/**
 * Debian's build of Chromium without the windows, menus and tabs around the page, where it is installed: the same engine
 * for a third to a half less CPU time.
 */
function shellPath(): string | undefined {
  return spawnSync('which', ['chromium-headless-shell'], { encoding: 'utf8' }).stdout.trim() || undefined;
}

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a file, closed when the process exits. */
export async function browser(t: TestContext): Promise<Browser | undefined> {
  const executablePath = chromiumPath(t);
  if (executablePath === undefined) return undefined;
  shared ??= chromium.launch({ executablePath: shellPath() ?? executablePath, args: FLAGS });
  return shared;
}

/** Closes the browser of this file. Call it in `after`. */
export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
}

export const launchPersistent = (executablePath: string, folder: string) =>
  chromium.launchPersistentContext(folder, { executablePath, args: FLAGS });

export interface PageOptions extends BrowserContextOptions {
  /** Has a context of its own, for a test that changes more than its page. Costs three times as much. */
  readonly isolated?: boolean;
  /** The test controls the time of the page, with `page.clock`. */
  readonly clock?: boolean;
}

let context: Promise<BrowserContext> | undefined;

/**
 * A page of the service. When the test ends it must have asked no other host for anything, have broken no
 * Content-Security-Policy and have thrown nothing.
 */
export async function openPage(
  t: TestContext,
  url: string,
  { isolated = false, clock = false, ...options }: PageOptions = {},
): Promise<Page | undefined> {
  const chromium = await browser(t);
  if (!chromium) return undefined;
  context ??= chromium.newContext();
  const owner = isolated ? await chromium.newContext(options) : await context;
  const page = await owner.newPage();
  t.after(() => (isolated ? owner.close() : page.close()));
  if (!isolated) await emulate(page, options);
  watch(t, page, new URL(url).host);
  if (clock) await page.clock.install();
  await page.goto(url);
  return page;
}

async function emulate(
  page: Page,
  { colorScheme, reducedMotion, viewport }: BrowserContextOptions,
): Promise<void> {
  await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? 'reduce' });
  if (viewport) await page.setViewportSize(viewport);
}

export function watch(t: TestContext, page: Page, host: string): void {
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) problems.push(`asked another host: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`threw: ${error.stack}`));
  t.after(() => assert.deepEqual(problems, []));
}

export async function signIn(page: Page, key = KEY): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: /Animals|Orders|Categories|Keys|Activity/ }).waitFor();
}

/** Simulates switching to another tab and back. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
