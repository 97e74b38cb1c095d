import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN } from './launch.ts';
import type { Owner } from './owner.ts';
import { KEY } from './service.ts';

const LISTENS = /^.* listens on (http:\/\/[^/]+)\/v1\nDatabase: .*\n(?:Console: .*\n)?/m;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `animal-store …` to its end. The environment contains only what is given. */
export async function animalStore(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd && { cwd }),
  });
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Asserts that a command has printed one line of an error, and nothing else. */
export function assertRefused({ code, stdout, stderr }: Finished, says: RegExp, expected = 2): void {
  assert.match(stderr, /^animal-store: [^\n]+\n$/, 'exactly one line');
  assert.match(stderr, says);
  assert.deepEqual({ code, stdout }, { code: expected, stdout: '' });
}

export interface RunningService {
  readonly child: ChildProcess;
  /** For example `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly port: number;
  /** What it has printed so far: the log on `stdout`; on `stderr` the start-up text, and nothing else if all is well. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** What it has printed to standard error other than the start-up text. */
  errors(): string;
  /** Its exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>;
}

/** `animal-store serve` in a separate process on a free port; killed when the test ends. */
export async function spawnService(
  t: Owner,
  env: Record<string, string>,
  wrapper: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<RunningService> {
  const [command = '', ...args] = [...wrapper, process.execPath, MAIN, 'serve', ...flags];
  const child = spawn(command, args, { env: { PATH: process.env.PATH, PORT: '0', API_KEYS: KEY, ...env } });
  t.after(() => child.kill('SIGKILL'));
  const output = collect(child);
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const { origin, banner } = await new Promise<{ origin: string; banner: string }>((resolve, reject) => {
    child.stderr.on('data', () => {
      const [banner, origin] = LISTENS.exec(output.stderr) ?? [];
      if (banner && origin) resolve({ origin, banner });
    });
    void exited.then((code) => reject(new Error(`the service ended with ${code}: ${output.stderr}`)));
  });
  const errors = () => output.stderr.replace(banner, '');
  return { child, origin, port: Number(new URL(origin).port), output, errors, exited };
}

/** Ends the service as an operator does. */
export async function assertShutsDown({ child, exited }: RunningService, withinMs = 10_000): Promise<void> {
  child.kill('SIGTERM');
  const late = sleep(withinMs, `still running after ${withinMs} ms`, { ref: false });
  assert.equal(await Promise.race([exited, late]), 0);
}

/** Only the latest output of a long run is kept, because a string has at most 512 MB. */
const MAX_OUTPUT = 100_000_000;

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      if (output[stream].length > MAX_OUTPUT) output[stream] = output[stream].slice(-MAX_OUTPUT / 2);
      output[stream] += text;
    });
  }
  return output;
}
