import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { run, runOrFail } from './commands.ts';

/** The folders of programs named `node`, by major version. */
export type Runtimes = Readonly<Record<20 | 24 | 26, string>>;

/** Node 26 is the one that runs the tests. The others are those of this machine, or come from the npm registry. */
export async function findRuntimes(folder: string): Promise<Runtimes> {
  const [old, oldest] = await Promise.all(
    [24, 20].map((major) => findRuntime(major, join(folder, `node-${major}`))),
  );
  return { 20: oldest ?? '', 24: old ?? '', 26: dirname(process.execPath) };
}

async function findRuntime(major: number, folder: string): Promise<string> {
  for (const candidate of (process.env.PATH ?? '').split(delimiter)) {
    const { stdout } = await run([join(candidate, 'node'), '--version'], { cwd: '/' });
    if (stdout.startsWith(`v${major}.`)) return candidate;
  }
  const name = `node-${process.platform}-${process.arch}`;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  await runOrFail(['npm', 'install', '--prefer-offline', '--ignore-scripts', `${name}@${major}`], {
    cwd: folder,
  });
  return join(folder, 'node_modules', name, 'bin');
}

/** An environment in which `node` is the one in `folder`. */
export const withNode = (folder: string): { readonly PATH: string } => ({
  PATH: [folder, process.env.PATH].join(delimiter),
});
