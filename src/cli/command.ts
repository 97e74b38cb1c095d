import type { Config, Flags, SettingName } from '../config.ts';
import type { Flag } from './flags.ts';
import type { Io } from './io.ts';

/** What a command is run with. */
export interface Invocation {
  readonly config: Config;
  readonly flags: Flags;
  readonly positionals: readonly string[];
  readonly io: Io;
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
  run(invocation: Invocation): Promise<void>;
}
