import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/**
 * A reporter that says how to run the files again in which a test failed, and adds each once to the list that `TEST_FAILED` names: CI
 * counts there how often a browser test has failed.
 */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  // A test that a helper declares has the file of the helper; the suite around it has that of the test.
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.file?.endsWith('.test.ts')) files.add(relative('.', data.file));
  if (files.size === 0) return;
  const { TEST_FAILED } = process.env;
  if (TEST_FAILED !== undefined) appendFileSync(TEST_FAILED, `${[...files].join('\n')}\n`);
  yield `\nTo run what failed again: npx node test/run.ts ${[...files].join(' ')}\n`;
}
