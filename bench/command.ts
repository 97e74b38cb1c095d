import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './contenders/processes.ts';
import { megabytes } from './format.ts';
import { usageOf } from './measure/usage.ts';

const POLL_INTERVAL_MS = 50;

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs a command of `animal-store` to its end. Returns how long it took, and what it has used. */
export async function runCommand(url: string, ...args: string[]): Promise<string> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['bin/animal-store.js', ...args, '--database', url], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  let used = { cpu: 0, peak: 0 };
  while (child.exitCode === null && child.signalCode === null) {
    const usage = usageOf(child.pid as number);
    // Its memory is gone before its exit is known.
    if (usage.peak > 0) used = usage;
    await sleep(POLL_INTERVAL_MS);
  }
  const [code] = await exit;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `exit ${code} after ${seconds} s, CPU ${used.cpu.toFixed(1)} s, memory ${megabytes(used.peak)} MB`;
}
