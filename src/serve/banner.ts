import { baseAddress } from '../contract/servers.ts';
import { VERSION } from '../contract/version.ts';
import { printable } from '../store/printable.ts';
import { withoutBrackets } from './listen.ts';

const CREATED = 'Created your first API key. It is shown only once:';

export interface Started {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Whether the web pages are served. */
  readonly pages: boolean;
  readonly metricsPort: number | undefined;
  readonly firstKey: string | undefined;
}

/** Says on standard error where the service listens and where its data is. Standard output is for the log. */
export function printBanner({ host, port, database, pages, metricsPort, firstKey }: Started): void {
  const address = baseAddress(withoutBrackets(host), port);
  const lines = [`Animal Store ${VERSION} listens on ${address}`, `Database: ${printable(database)}`];
  if (pages) lines.push(`Console: ${new URL('/', address).href}`);
  if (metricsPort !== undefined)
    lines.push(`Metrics: ${new URL('/metrics', baseAddress(withoutBrackets(host), metricsPort)).href}`);
  if (firstKey !== undefined) {
    lines.push('', CREATED, '', `  ${firstKey}`, '');
    lines.push('Try it:', '', `  curl -H "Authorization: Bearer ${firstKey}" ${address}/pets`, '');
  }
  // One write, so that a program that waits for the first line gets all of them.
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** For a start that failed after the key was created: the next start does not create another. */
export function printFirstKey(firstKey: string | undefined): void {
  if (firstKey !== undefined) process.stderr.write(`${CREATED} ${firstKey}\n`);
}
