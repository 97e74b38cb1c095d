import { chmod, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './commands.ts';
import { findRuntimes, type Runtimes } from './runtimes.ts';

export const ROOT = join(import.meta.dirname, '../../..');

/** What a checkout needs to build the package, and to run. */
const SOURCES =
  /^(?:bin|src|scripts|tsconfig.*|package.*\.json|\.npmrc|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md|LICENSE|deploy|docs)$/;

export interface Package {
  /** A copy of the sources in which the package was built. */
  readonly checkout: string;
  readonly tarball: string;
  /** A folder that contains nothing but the installed package. */
  readonly installed: string;
  /** What npm printed on standard error while it installed the package. */
  readonly warnings: string;
  /** A copy of the sources, installed with `NODE_ENV=production npm ci`. */
  readonly production: string;
  readonly runtimes: Runtimes;
}

/** Packs and installs this project in an empty folder. */
export async function makePackage(folder: string): Promise<Package> {
  // Readable for other accounts, as an installation is.
  await chmod(folder, 0o755);
  const [checkout, installed, production] = ['checkout', 'installed', 'production'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await Promise.all([copySources(checkout), copySources(production), mkdir(installed)]);
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const install = async () => {
    await npm(['pack', '--pack-destination', folder], { cwd: checkout });
    const file = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
    const tarball = join(folder, file);
    const { stderr } = await npm(['install', '--prefer-offline', tarball], { cwd: installed });
    return { tarball, warnings: stderr };
  };
  const [{ tarball, warnings }, runtimes] = await Promise.all([
    install(),
    findRuntimes(folder),
    npm(['ci', '--prefer-offline'], { cwd: production, env: { NODE_ENV: 'production' } }),
  ]);
  return { checkout, tarball, installed, warnings, production, runtimes };
}

async function copySources(to: string): Promise<void> {
  const names = (await readdir(ROOT)).filter((name) => SOURCES.test(name));
  await Promise.all(names.map((name) => cp(join(ROOT, name), join(to, name), { recursive: true })));
}
