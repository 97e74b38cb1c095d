import { createLog, type Level, type Log } from '../log.ts';
import { LogBuffer } from './log-buffer.ts';
import { openLogTarget } from './log-target.ts';
import { formatForTerminal } from './terminal-format.ts';

interface LogOptions {
  readonly level: Level;
  /** The keys of `API_KEYS`, which no line may contain. */
  readonly configuredKeys: readonly string[];
  /** Whether other processes write to the same output. */
  readonly shared: boolean;
}

export interface ProcessLog {
  readonly log: Log;
  readonly output: LogBuffer;
}

/** The log on standard output: JSON lines, or on a terminal the same for people. What is left is written on exit. */
export function openLog({ level, shared, configuredKeys }: LogOptions): ProcessLog {
  const target = openLogTarget(1, shared);
  const output = new LogBuffer(target);
  process.on('exit', () => output.flushSync());
  const readable = { write: (line: string) => output.write(formatForTerminal(line)) };
  const log = createLog(process.stdout.isTTY ? readable : output, level, configuredKeys);
  if (target.mayBlock)
    log.error(
      { node: process.version },
      'this version of Node lacks what the service needs for a log that never blocks it',
    );
  return { log, output };
}
