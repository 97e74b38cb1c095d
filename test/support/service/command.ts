import { Readable, Writable } from 'node:stream';
import { main } from '../../../src/cli/main.ts';
import type { Finished } from './process.ts';

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs `animal-store …` to its end, in this process: the same code as in its own, much faster. Not for `serve`. The environment
 * contains only what is given. Calls run one after the other, because a process has one working directory.
 */
export function runCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Finished> {
  const result = turn.then(() => runIn(cwd, args, env));
  turn = result.catch(() => {});
  return result;
}

async function runIn(cwd: string, args: readonly string[], env: Record<string, string>): Promise<Finished> {
  const before = process.cwd();
  const [stdout, stderr] = [new Collected(), new Collected()];
  process.chdir(cwd);
  try {
    const stdin = Readable.from([]);
    const code = await main(args, { env, stdin, stdout, stderr, exitCode: 0 });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
  }
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}
