import { spawnSync } from 'node:child_process';

/** Whether a text is an ES module without an error of syntax: one that is not cut off, for example. It is not run. */
export const isWholeModule = (text: string): boolean =>
  spawnSync(process.execPath, ['--input-type=module', '--check', '-'], { input: text }).status === 0;
