import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { npm, run } from './commands.ts';

/** The folders of programs named `node`, by major version. 24 is the oldest that the service runs on. */
export type Runtimes = Readonly<Record<22 | 24 | 26, string>>;

/** The one that runs the tests and those on the PATH; the others come from the npm registry. */
export async function findRuntimes(folder: string): Promise<Runtimes> {
  const find = (version: string) => findRuntime(version, join(folder, `node-${version}`));
  const [oldest, old, current] = await Promise.all([find('22'), find('24.15'), find('26')]);
  return { 22: oldest, 24: old, 26: current };
}

export async function findRuntime(version: string, folder: string): Promise<string> {
  for (const candidate of [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]) {
    const { stdout } = await run([join(candidate, 'node'), '--version'], { cwd: '/' });
    if (stdout.startsWith(`v${version}.`)) return candidate;
  }
  const name = `node-${process.platform}-${process.arch}`;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  await npm(['install', '--prefer-offline', '--ignore-scripts', `${name}@${version}`], { cwd: folder });
  return join(folder, 'node_modules', name, 'bin');
}

/** An environment in which `node` is the one in `folder`. */
export const withNode = (folder: string): { readonly PATH: string } => ({
  PATH: [folder, process.env.PATH].join(delimiter),
});
