import { basename, delimiter, dirname } from 'node:path';
import { unicodeEscape } from '../log.ts';
import type { BackupResult } from '../store/tools/backup.ts';

/** A command that a message tells a person to run, such as `animal-store keys list`. */
const NAMED_COMMAND = /(?<![\w/.-])animal-store (?=[a-z]+\b|--|COMMAND)/g;

/** What a command reads and prints to. The process has one; a test has its own for each call. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** What a person types to call this program, which messages call `animal-store`. */
  readonly program: string;
  /** What a command that has done its work exits with; 0 unless it says otherwise. */
  exitCode: number;
}

/** Characters that move the cursor, control the terminal, or change the direction of a line. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Stored text on one line that shows what is in it: control characters as in JSON, so that JSON keeps its meaning. */
export const visible = (text: string): string => text.replace(CONTROL, unicodeEscape);

/** As `visible`, for text of several lines. Whatever a command prints passes through here, except for what it exports. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Prints the result of a command on standard output. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${visibleLines(text)}\n`);
}

/** Prints a line for the person who waits, or about what went wrong, on standard error. */
export function note(io: Io, text: string): void {
  io.stderr.write(`${visibleLines(text)}\n`);
}

/** Prints rows under a head, in columns: one line each, whatever is in the cells. */
export function table(io: Io, head: string[], cells: string[][], numbers: readonly string[] = []): void {
  io.stdout.write(tableLines(head, numbers)(cells));
}

/**
 * Formats the pages of a table, the first one with the head: one line per row, whatever is in the cells. A column is as wide as its widest
 * cell so far. The columns with `numbers` are aligned on the right.
 */
export function tableLines(
  head: readonly string[],
  numbers: readonly string[] = [],
): (cells: readonly string[][]) => string {
  const widths = head.map(() => 0);
  let pending = [[...head]];
  return (cells) => {
    const rows = [...pending, ...cells.map((row) => row.map(visible))];
    pending = [];
    for (const row of rows)
      for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
    const align = (cell: string, i: number) =>
      numbers.includes(head[i] ?? '') ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
    return rows.map((row) => `${row.map(align).join('  ').trimEnd()}\n`).join('');
  };
}

/** The text with each command that it names as it has to be typed. Not for data, which may contain anything. */
export const asTyped = ({ program }: Io, text: string): string => text.replace(NAMED_COMMAND, `${program} `);

/** The text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** That of this process. A reader that closes standard output early, such as `head`, is not an error, and hides none. */
export function processIo(): Io {
  const { env, stdout, stderr } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    stderr.write(`animal-store: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  const program = programOf(process.argv[1] ?? '', env);
  // A getter, because standard input is opened when it is first used.
  return {
    env,
    stdout,
    stderr,
    program,
    exitCode: 0,
    get stdin() {
      return process.stdin;
    },
  };
}

/** `animal-store` if the shell finds it, `npx animal-store` if npm did, otherwise the path of the file. */
export function programOf(file: string, env: Io['env']): string {
  if (env.npm_command !== undefined) return 'npx animal-store';
  const isOnPath = env.PATH?.split(delimiter).includes(dirname(file)) === true;
  return isOnPath && basename(file) === 'animal-store' ? 'animal-store' : file;
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
