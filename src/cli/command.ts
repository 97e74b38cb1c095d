import type { Config, Flags, SettingName } from '../config.ts';
import type { Flag } from './flags.ts';

export interface Call {
  readonly config: Config;
  readonly flags: Flags;
  readonly positionals: readonly string[];
}

/** One command of the command line. */
export interface Command {
  readonly summary: string;
  /** More about it, for `--help`. */
  readonly details?: string;
  /** The names of its arguments, such as `ID`, or `[FILE]` for one that may be left out. */
  readonly positionals: readonly string[];
  readonly settings: readonly SettingName[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** Resolves when the work is done; rejects when it cannot be done. */
  run(call: Call): Promise<void>;
}

let watched = false;

/** Standard output. A reader that closes it early, such as `head`, is not an error, and hides none. */
export function standardOutput(): NodeJS.WriteStream {
  if (!watched) process.stdout.on('error', exitWithoutOutput);
  watched = true;
  return process.stdout;
}

/** Prints the result of a command on standard output. */
export function print(text: string): void {
  standardOutput().write(`${text}\n`);
}

function exitWithoutOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`animal-store: cannot write to standard output: ${error.message}\n`);
  process.exit(1);
}
