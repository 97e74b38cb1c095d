import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe-core objects to, with where. `rules` are its options, such as `runOnly`. */
export async function violations(
  page: Page,
  rules: object,
  within: readonly string[] = ['body'],
): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The page keeps it until it is loaded again.
  const { result: found } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (found.value === 'undefined')
    await session.send('Runtime.evaluate', { expression: await readFile(AXE, 'utf8') });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify({ include: within.map((one) => [one]) })}, ${JSON.stringify(rules)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  const { violations } = result.value as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
