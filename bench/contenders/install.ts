import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

const BENCH = join(ROOT, 'bench');

/** Installs the competitors and checks their types, which need their packages. */
export function preparePeers(): void {
  const installed = modifiedMs('node_modules/.package-lock.json');
  if (installed < modifiedMs('package-lock.json')) run('npm', ['ci', '--prefix', BENCH]);
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(BENCH, 'peers')]);
}

function modifiedMs(file: string): number {
  return statSync(join(BENCH, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}`);
}
