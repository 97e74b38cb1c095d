import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { MAIN } from './launch.ts';

interface SpawnedCommand {
  readonly child: ChildProcess;
  /** Its exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>;
  readonly output: { stdout: string; stderr: string };
  /** Writes to its standard input. Resolves when the operating system has taken the text. */
  send(text: string): Promise<void>;
}

/** `animal-store …` as a process with a standard input that the test writes to; killed when the test ends. */
export function spawnCommand(
  t: TestContext,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): SpawnedCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd && { cwd }),
  });
  t.after(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.stdin.on('error', () => {});
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    exited,
    output,
    send: (text) => new Promise((resolve) => child.stdin.write(text, () => resolve())),
  };
}
