import { createLog, type Level, type Log } from '../log.ts';
import { LogBuffer } from './log-buffer.ts';
import { openLogTarget } from './log-target.ts';
import { formatForTerminal } from './terminal-format.ts';

export interface LogOptions {
  readonly level: Level;
  /** Whether other processes write to the same output. */
  readonly shared: boolean;
}

export interface ProcessLog {
  readonly log: Log;
  readonly output: LogBuffer;
}

/** The log on standard output: JSON lines, or on a terminal the same for people. What is left is written on exit. */
export function openLog({ level, shared }: LogOptions): ProcessLog {
  const output = new LogBuffer(openLogTarget(1, shared));
  process.on('exit', () => output.flushSync());
  const write = process.stdout.isTTY
    ? (line: string) => output.write(formatForTerminal(line))
    : (line: string) => output.write(line);
  return { log: createLog({ write }, level), output };
}
