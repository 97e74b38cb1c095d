import type { Config, Flags, SettingName } from '../config.ts';
import type { Flag } from './flags.ts';

export interface Call {
  readonly config: Config;
  readonly flags: Flags;
  readonly positionals: readonly string[];
}

/** One command of the command line. It resolves when its work is done and throws when it cannot be. */
export interface Command {
  readonly summary: string;
  /** What stands behind the command's name, as `ID`. */
  readonly positionals: readonly string[];
  readonly settings: readonly SettingName[];
  readonly flags: Readonly<Record<string, Flag>>;
  run(call: Call): Promise<void>;
}

/** What a person or a script asked for. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
