import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage, type PageOptions } from '../../support/browser.ts';
import { withParts } from '../../support/openapi.ts';
import type { Service } from '../../support/service/service.ts';

/** The reference, at the section with this id, once it shows the whole document. */
export async function openReference(
  t: TestContext,
  service: Service,
  id = '',
  options: PageOptions = {},
): Promise<Page | undefined> {
  const page = await openPage(t, `${service.origin}/docs${id && `#${id}`}`, options);
  await page?.locator('.schema').last().waitFor();
  return page;
}

/** The form that sends calls of this operation. It is folded at first. */
export async function tryForm(page: Page, id: string): Promise<Locator> {
  await page.locator(`section#${id}`).getByRole('button', { name: 'Try it with your key' }).click();
  const form = page.getByRole('form', { name: `Try ${id}`, exact: true });
  await form.waitFor();
  return form;
}

/** Every operation of the document that the service serves. */
export async function operationsOf(service: Service): Promise<readonly Described[]> {
  const { paths } = withParts(JSON.parse((await service.call('GET', '/openapi.json')).text));
  return Object.entries<Record<string, Omit<Described, 'path' | 'method'>>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object }>> }>
  >;
}
