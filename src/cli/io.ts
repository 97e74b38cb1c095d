import { getSystemErrorMessage } from 'node:util';
import { visible } from '../log.ts';
import type { BackupResult } from '../store/tools/backup.ts';

/** What a command reads and prints to. The process has one; a test has its own for each call. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** The exit code of a command that has done its work; 0 unless the command sets it. */
  exitCode: number;
}

/** Prints the result of a command on standard output: each text on one line, with its control characters escaped. */
export function print(io: Io, ...lines: string[]): void {
  io.stdout.write(lines.map((line) => `${visible(line)}\n`).join(''));
}

/** Prints a line for the person who waits, or about what went wrong, on standard error. */
export function note(io: Io, line: string): void {
  io.stderr.write(`${visible(line)}\n`);
}

/** Prints rows under a head, in columns as wide as their widest cell: one line each, whatever is in the cells. */
export function table(io: Io, head: readonly string[], cells: readonly string[][]): void {
  const rows = [head, ...cells.map((row) => row.map(visible))];
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows)
    print(
      io,
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** The `Io` of this process. A reader that closes standard output early, such as `head`, is not an error, and does not hide one. */
export function processIo(): Io {
  const { env, stdout, stderr } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
    stderr.write(`animal-store: cannot write to standard output: ${reason}\n`);
    process.exit(1);
  });
  // A getter, because standard input is opened when it is first used.
  return {
    env,
    stdout,
    stderr,
    exitCode: 0,
    get stdin() {
      return process.stdin;
    },
  };
}

/** `1 animal`, `2,000 animals`. */
export const count = (number: number, one: string, several = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : several}`;

/** A time in UTC, to the second. */
export const date = (value: Date | undefined): string => value?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '-';

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `5 animals, 1 order and 2 API keys`. */
export const contentOf = ({ counts: { animals, orders, keys } }: BackupResult): string =>
  `${count(animals, 'animal')}, ${count(orders, 'order')} and ${count(keys, 'API key')}`;

/** `98.3 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
