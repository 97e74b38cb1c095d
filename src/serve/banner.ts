import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { baseAddress } from '../contract/servers.ts';
import { visible } from '../log.ts';
import { printable } from '../store/database-url.ts';
import { withoutBrackets } from './listen.ts';

const CREATED = 'Created your first API key. It is shown only once:';

interface Started extends Pick<Config, 'host' | 'port' | 'database' | 'pages'> {
  readonly firstKey: string | undefined;
  /** The command that creates a key, if no client has one. */
  readonly createKey: string | undefined;
}

/** Prints to standard error: standard output is for the log. */
export const printLine = (...lines: string[]): void =>
  void process.stderr.write(lines.map((line) => `${visible(line)}\n`).join(''));

/** Prints where the service listens and where its data is. */
export async function printBanner(started: Started): Promise<void> {
  const { host, port, database, pages, firstKey, createKey } = started;
  const address = baseAddress(withoutBrackets(host), port);
  const lines = [
    `Animal Store ${packageVersion()} listens on ${address}`,
    `Database: ${printable(database)}`,
  ];
  if (pages) {
    const { missingPages } = await import('../web/assets.ts');
    lines.push(missingPages() ?? `Console: ${new URL('/', address).href}`);
  }
  if (firstKey !== undefined) {
    lines.push('', CREATED, '', `  ${firstKey}`, '');
    lines.push('Try it:', '', `  curl -H "Authorization: Bearer ${firstKey}" ${address}/pets`, '');
  }
  if (createKey !== undefined)
    lines.push(
      '',
      'No client can call the service: there is no valid API key. Create one:',
      '',
      `  ${createKey}`,
      '',
    );
  // One write, so that a program that waits for the first line gets all of them.
  printLine(...lines);
}

/** For a start that failed after the key was created: the next start does not create another. */
export async function printFirstKey(created: Promise<string | undefined>): Promise<void> {
  const firstKey = await created.catch(() => undefined);
  if (firstKey !== undefined) printLine(`${CREATED} ${firstKey}`);
}

/** The version of this package, which is not that of the API. Both `src` and `dist` are in the folder of the package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  return version;
}
