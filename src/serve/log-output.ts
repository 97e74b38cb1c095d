import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import { LogBuffer } from './log-buffer.ts';
import { openLogTarget } from './log-target.ts';
import { formatForTerminal } from './terminal-format.ts';

/**
 * The log on standard output: JSON lines, or readable lines on a terminal. Waiting lines are written on exit. No line contains a key
 * of `API_KEYS`. Processes that share a port may share their standard output, too.
 */
export function openLog({ logLevel, apiKeys, reusePort }: Config) {
  const target = openLogTarget(1, reusePort);
  const output = new LogBuffer(target);
  process.on('exit', () => output.flushSync());
  const readable = { write: (line: string) => output.write(formatForTerminal(line)) };
  const log = createLog(process.stdout.isTTY ? readable : output, logLevel, apiKeys);
  if (target.mayBlock)
    log.error(
      { node: process.version },
      'this version of Node lacks what the service needs for a log that never blocks it',
    );
  return { log, output };
}

export type ProcessLog = Readonly<ReturnType<typeof openLog>>;
