import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage } from '../../support/browser.ts';
import { eventuallyEqual, PATIENCE_MS } from '../../support/eventually.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';

/** More presses than the page has elements to press. */
const ROUND = 80;
/** The page moves the focus in the frame after a change, and in effects, which follow that frame. */
const FOCUS_SET =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

/** A person without a mouse: everything they do is a key. */
export interface Keyboard {
  readonly page: Page;
  readonly type: (text: string) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** Goes to what has this name, by Tab. */
  readonly tabTo: (name: RegExp) => Promise<void>;
  /** Goes to what has this name, presses Enter and waits for what that leads to. The keyboard must still be somewhere then. */
  readonly choose: (name: RegExp, outcome: Locator) => Promise<void>;
}

/** The console, signed in without a mouse. */
export async function openByKeyboard(
  t: TestContext,
  prepare: (service: Service) => Promise<unknown>,
): Promise<Keyboard | undefined> {
  const service = await startService(t);
  await prepare(service);
  const page = await openPage(t, service.origin);
  if (!page) return undefined;
  const { press, type } = page.keyboard;
  const keyboard = {
    page,
    type: type.bind(page.keyboard),
    press: press.bind(page.keyboard),
    tabTo: (name: RegExp) => tabTo(page, name),
    choose: async (name: RegExp, outcome: Locator) => {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
      await outcome.waitFor();
      await page.evaluate(FOCUS_SET);
      await eventuallyEqual(() => page.evaluate('document.activeElement !== document.body'), true);
    },
  };
  await page.locator('#api-key:focus').waitFor();
  await keyboard.type(KEY);
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
  return keyboard;
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  // Again while the page is still being drawn.
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; )
    for (let presses = 0; presses < ROUND; presses++) {
      if (name.test(await focusedName(page))) return;
      await page.keyboard.press('Tab');
    }
  assert.fail(`${name} cannot be reached`);
}

const focusedName = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(`(({ activeElement: one }) =>
      one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText)(document)`),
  ).trim();
