import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';

export const MAIN = join(import.meta.dirname, '../../../bin/animal-store.js');

/** For a machine that is busy with other tests: a test that waits this long has failed. */
const TIMEOUT_MS = 60_000;

export interface Launched {
  readonly child: ChildProcess;
  /** Everything it and its children have printed so far. */
  output(): string;
  /** Resolves when the output matches, with the match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when every process that could print has ended. */
  ended(): Promise<{ code: number | null; signal: string | null }>;
}

interface LaunchOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Starts a command in a new process group, which is killed as a whole when the test ends. */
export function launch(
  t: TestContext,
  [command = '', ...args]: readonly string[],
  { env, cwd }: LaunchOptions = {},
): Launched {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, { env: { PATH, HOME, ...env }, detached: true, ...(cwd && { cwd }) });
  t.after(() => killGroup(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const failure = (what: string) => new Error(`${command} did not ${what}. It has printed: ${text}`);
  return {
    child,
    output: () => text,
    printed: async (pattern) => {
      await eventually(() => pattern.test(text), '', TIMEOUT_MS).catch(() => {
        throw failure(`print ${pattern}`);
      });
      return pattern.exec(text) as RegExpExecArray;
    },
    ended: async () => {
      const result = await Promise.race([closed, sleep(TIMEOUT_MS, undefined, { ref: false })]);
      if (!result) throw failure('end');
      return { code: result[0], signal: result[1] };
    },
  };
}

/** `animal-store serve` with these flags; `printed` resolves when it listens. */
export const launchService = (t: TestContext, flags: readonly string[], options: LaunchOptions): Launched =>
  launch(t, [process.execPath, MAIN, 'serve', ...flags], { ...options, env: { PORT: '0', ...options.env } });

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
