import { type Config, type Flags, type SettingName, settings, UsageError } from '../config.ts';
import { DataError, type Format, formatOf } from '../data/rows.ts';
import type { Io } from './io.ts';

/** What a command is run with. */
export interface Invocation {
  readonly config: Config;
  readonly flags: Flags;
  readonly positionals: readonly string[];
  readonly io: Io;
}

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

/** A flag of one command, in addition to those of its settings. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly meaning: string;
}

export const jsonFlag = { type: 'boolean', meaning: 'print JSON, for scripts' } as const;

/** The lines of --help about the flags of a command. */
export function describeFlags(names: readonly SettingName[], own: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(own).map(([flag, { type, meaning }]) => [
    `--${flag}${type === 'string' ? ' …' : ''}`,
    meaning,
  ]);
  for (const name of names) {
    const { flag, env, fallback, meaning } = settings[name];
    const source = fallback === '' ? env : `${env}; default ${fallback}`;
    rows.push([flag === undefined ? '' : `--${flag} …`, `${meaning} (${source})`]);
  }
  rows.push(['--help', 'show this text']);
  const width = Math.max(...rows.map(([flag = '']) => flag.length));
  return rows.map(([flag = '', meaning]) => `  ${flag.padEnd(width)}  ${meaning}`).join('\n');
}

/** The value of a flag, read as a setting would be. */
export function flagValue<T>(name: string, text: string | boolean, read: (text: string) => T): T {
  try {
    return read(String(text));
  } catch (error) {
    throw new UsageError(`--${name} ${(error as Error).message}`, { cause: error });
  }
}

/** The format that `--format` names, or that of the file. */
export function formatFor(file: string, given: string | boolean | undefined): Format {
  try {
    return formatOf(file, typeof given === 'string' ? given : undefined);
  } catch (error) {
    throw error instanceof DataError ? new UsageError(error.message, { cause: error }) : error;
  }
}
