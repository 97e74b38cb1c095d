import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { writeFontConfig } from './screenshots/fonts.ts';
import { type Service, startService } from './screenshots/service.ts';
import { type Shot, shots } from './screenshots/shots.ts';
import { BEGINNING, fillShop, PRESENT } from './screenshots/week.ts';

/**
 * Takes the screenshots in docs/screenshots/ from the real service, with the week of a shop. It needs
 * Chromium, libfaketime (Debian's `faketime`) and a good system font, such as Debian's `fonts-inter`.
 */
const FOLDER = join(import.meta.dirname, '../docs/screenshots');
/** The default address of the service, because the calls in the reference show it. */
const ADDRESS = '127.0.0.1:8080';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none'];

async function take(browser: Browser, service: Service, shot: Shot): Promise<void> {
  const { colorScheme, viewport, path, name } = shot;
  const context = await browser.newContext({
    colorScheme,
    viewport,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.clock.install({ time: PRESENT });
  await page.goto(`http://${ADDRESS}${path}`);
  await page.locator('h1').first().waitFor();
  await shot.prepare?.({ page, service });
  // No row is hovered.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await context.close();
}

/** The first of these programs that is installed. */
function which(...programs: readonly string[]): string {
  const [found] = spawnSync('which', programs, { encoding: 'utf8' }).stdout.split('\n');
  if (!found) throw new Error(`The screenshots need ${programs.join(' or ')}.`);
  return found;
}

const folder = await mkdtemp(join(tmpdir(), 'animal-store-fonts-'));
const fontConfig = join(folder, 'fonts.conf');
await writeFontConfig(fontConfig);
const service = await startService(BEGINNING);
try {
  await fillShop(service);
  const browser = await chromium.launch({
    executablePath: which('chromium-headless-shell', 'chromium'),
    args: [...FLAGS, `--host-resolver-rules=MAP ${ADDRESS} 127.0.0.1:${service.port}`],
    env: { ...process.env, FONTCONFIG_FILE: fontConfig },
  });
  for (const shot of shots) await take(browser, service, shot);
  await browser.close();
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
