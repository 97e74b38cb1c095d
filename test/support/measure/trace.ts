import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../service/service.ts';

export interface Trace {
  /** The trace so far, one line for each call or part of one, in order. */
  lines(): Promise<string[]>;
  detach(): Promise<void>;
}

/** Attaches strace, with these options, to all threads of a running process until `detach` or the test's end. */
export async function trace(
  t: TestContext,
  pid: number | undefined,
  options: readonly string[],
): Promise<Trace> {
  const file = join(await temporaryFolder(t), 'trace');
  const strace = spawn('strace', ['-f', '-s', '5000', '-o', file, ...options, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => strace.kill('SIGKILL'));
  await attached(strace);
  return {
    lines: async () => (await readFile(file, 'utf8')).split('\n'),
    async detach() {
      const exit = once(strace, 'exit');
      strace.kill('SIGINT');
      await exit;
    },
  };
}

function attached(strace: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    strace.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/attached/.test(said)) resolve();
    });
    strace.once('exit', () => reject(new Error(`strace could not attach: ${said}`)));
  });
}
