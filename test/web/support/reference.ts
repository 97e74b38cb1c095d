import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage, type PageOptions } from '../../support/browser.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';

interface ReferenceOptions extends PageOptions {
  /** The id of the section that it shows. */
  readonly id?: string;
  readonly config?: NonNullable<Parameters<typeof startService>[1]>['config'];
}

/** A test of the reference of an empty service, once it shows the whole document. */
export function inReference(
  name: string,
  { id = '', config = {}, ...options }: ReferenceOptions,
  test: (page: Page, service: Service) => Promise<void>,
): void {
  it(name, async (t) => {
    const service = await startService(t, { database: 'sqlite::memory:', config });
    const page = await openPage(t, `${service.origin}/docs${id && `#${id}`}`, options);
    if (!page) return;
    await page.locator('.schema').last().waitFor();
    await test(page, service);
  });
}

/** The form that sends calls of this operation, with the key. It is folded at first. */
export async function tryForm(page: Page, id: string, key = KEY): Promise<Locator> {
  await page.locator(`section#${id}`).getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('form', { name: `Try ${id}`, exact: true });
  await form.getByLabel('API key').fill(key);
  return form;
}

/** Presses the button that sends the call, and confirms it if it is a change. */
export async function send(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Try it' }).click();
  const confirm = form.getByRole('button', { name: 'Send: this changes' });
  if (await confirm.isVisible()) await confirm.click();
}
