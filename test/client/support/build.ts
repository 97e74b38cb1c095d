import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/service/service.ts';

export const ROOT = join(import.meta.dirname, '../../..');
export const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
export const run = promisify(execFile);

/** The client as JavaScript without comments, as a package would contain it. Returns the folder of its `index.js`. */
export async function buildClient(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const options =
    '--ignoreConfig --target es2022 --lib esnext --module nodenext --types node --skipLibCheck --removeComments';
  await run(
    process.execPath,
    [
      TSC,
      ...options.split(' '),
      '--rewriteRelativeImportExtensions',
      '--outDir',
      folder,
      '--rootDir',
      'src',
      'src/client/index.ts',
    ],
    { cwd: ROOT },
  );
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return join(folder, 'client');
}
