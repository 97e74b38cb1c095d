import { spawnSync } from 'node:child_process';
import { MAIN } from './launch.ts';

/** Runs the advice of a message in a shell, as a person who pastes it. We have the rights that `sudo` would give, or the test has no such advice. */
export function paste(advice: string): void {
  const script = `set -e; sudo() { "$@"; }; animal-store() { "$NODE" "$MAIN" "$@"; }; ${advice}`;
  const env = { PATH: process.env.PATH, NODE: process.execPath, MAIN };
  const { status, stderr } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${advice}: ${stderr}`);
}
