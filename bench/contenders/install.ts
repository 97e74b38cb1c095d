import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

const BENCH = join(ROOT, 'bench');

/** Brings the peers and compiles the one that needs it: NestJS lives by decorators, which Node does not strip. */
export function preparePeers(): void {
  const installed = changed('node_modules/.package-lock.json');
  if (installed < changed('package-lock.json')) run('npm', ['ci', '--prefix', BENCH]);
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(BENCH, 'peers')]);
}

function changed(file: string): number {
  return statSync(join(BENCH, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
