import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/service/free-port.ts';
import { onCleanup, unlessInterrupted } from '../cleanup.ts';
import { KEY } from '../workloads/calls.ts';

export const ROOT = join(import.meta.dirname, '../..');

const START_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 5;
const EXIT_NOTICE_MS = 20;
const PROBE_TIMEOUT_MS = 5000;

export interface Program {
  /** The folder it runs in: this checkout unless given. */
  readonly folder?: string | undefined;
  readonly command: readonly string[];
  readonly env: Record<string, string>;
  /** The file for its standard output and standard error, so that no CPU time is spent on reading them. */
  readonly log: string;
  /** A target that it answers with 200 as soon as it is ready. */
  readonly probe: string;
}

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** From spawn to the first response. */
  readonly startMs: number;
  /** The process of the database server that it uses, if there is one. */
  readonly databasePid?: number;
  stop(): Promise<void>;
}

/** Starts a server on a free port and waits for its first response. It is stopped at clean-up at the latest. */
export async function startServer(program: (port: number) => Program): Promise<RunningServer> {
  const port = await freePort();
  const { folder = ROOT, command, env, log, probe } = program(port);
  const [file = '', ...args] = command;
  await unlessInterrupted();
  const output = openSync(log, 'w');
  const started = performance.now();
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  let isStopped = false;
  const stop = async () => {
    // One that has just ended, which is why it is stopped, is not yet known to have ended.
    await sleep(EXIT_NOTICE_MS);
    isStopped = true;
    await kill(child);
  };
  onCleanup(stop);
  child.on('error', () => {});
  while (!(await isReady(port, probe))) {
    const problem = startProblem(child, performance.now() - started);
    if (problem) {
      await stop();
      throw new Error(`${problem}:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
  child.once('exit', (code, signal) => {
    if (isStopped) return;
    const output = readFileSync(log, 'utf8').slice(-2000);
    process.stderr.write(
      `The server on port ${port} ended with ${signal ?? code} while in use:\n${output}\n`,
    );
  });
  return { pid: child.pid as number, port, startMs: performance.now() - started, stop };
}

function startProblem({ pid, exitCode, signalCode }: ChildProcess, waitedMs: number): string | undefined {
  if (pid === undefined) return 'it could not be executed';
  if (exitCode !== null || signalCode !== null)
    return `it ended with ${signalCode ?? exitCode} while starting`;
  return waitedMs > START_TIMEOUT_MS ? `no response within ${START_TIMEOUT_MS / 1000} s` : undefined;
}

/** Kills the whole process group: the server leads one of its own, which also shields it from the terminal's Ctrl-C. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exit;
}

function isReady(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    request.setTimeout(PROBE_TIMEOUT_MS, () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
