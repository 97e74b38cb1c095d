import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/postgres.ts';
import { atEnd, unlessInterrupted } from '../endings.ts';
import { KEY } from '../work/calls.ts';

export const ROOT = join(import.meta.dirname, '../..');

const PATIENCE_MS = 20_000;
const POLL_MS = 5;
const ANSWER_MS = 5000;

export interface Program {
  readonly command: readonly string[];
  readonly env: Record<string, string>;
  /** What it prints goes here, so that nobody pays for reading it. */
  readonly log: string;
  /** A target that it answers with 200 as soon as it can. */
  readonly probe: string;
}

export interface Running {
  readonly pid: number;
  readonly port: number;
  /** From spawn to the first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts a server on a free port, which `program` is told, and waits for its first answer. Gone at the end. */
export async function start(program: (port: number) => Program): Promise<Running> {
  const port = await freePort();
  const { command, env, log, probe } = program(port);
  const [file = '', ...args] = command;
  await unlessInterrupted();
  const output = openSync(log, 'w');
  const started = performance.now();
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const stop = () => kill(child);
  atEnd(stop);
  child.on('error', () => {});
  while (!(await answers(port, probe))) {
    const waited = performance.now() - started;
    if (child.pid === undefined || child.exitCode !== null || waited > PATIENCE_MS) {
      await stop();
      throw new Error(`it did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    await sleep(POLL_MS);
  }
  return { pid: child.pid as number, port, startMs: performance.now() - started, stop };
}

/** It leads a group of its own, so that its children go with it and a Ctrl-C of the terminal does not reach it. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exit;
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    request.setTimeout(ANSWER_MS, () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
