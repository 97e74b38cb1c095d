import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onCleanup, unlessInterrupted } from '../../bench/cleanup.ts';

export interface Command {
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file for its output. */
  readonly log: string;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Starts a program. It is killed at clean-up at the latest, and Ctrl-C in the terminal does not reach it. */
export async function start({ file, args = [], env = {}, log, cwd, user }: Command): Promise<ChildProcess> {
  await unlessInterrupted();
  const output = openSync(log, 'a');
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    detached: true,
    ...(cwd && { cwd }),
    ...user,
  });
  closeSync(output);
  onCleanup(() => kill(child));
  await once(child, 'spawn');
  return child;
}

/** kill -9, also of a process that is paused. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Every process whose working folder is this one: a PostgreSQL server and its processes work in their data folder. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && workingFolder(pid) === folder);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Sends a signal to every process that still exists. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}

/** Waits for a condition. Fails with `what` when it takes too long. */
export async function until(what: string, seconds: number, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await isTrue())) {
    await unlessInterrupted();
    if (performance.now() > deadline) throw new Error(`${what} took more than ${seconds} s`);
    await sleep(100);
  }
}

/** Whether a URL is answered with 200. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Different ports of 127.0.0.1 that were free just now. */
export async function freePorts(howMany: number): Promise<number[]> {
  const servers = Array.from({ length: howMany }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
