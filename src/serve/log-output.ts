import { type Logger, pino } from 'pino';
import type { LogOutput } from '../http/request-log.ts';

/** What is written at once. Workers write to one pipe; it takes this much in one piece, and mixes no lines. */
const PIECE = process.connected ? 4096 : 65_536;

export interface Log {
  readonly log: Logger;
  readonly output: LogOutput;
}

/** One JSON line an event on standard output; on a terminal, the same for people. */
export async function createLog(): Promise<Log> {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const output = process.stdout.isTTY ? await forPeople() : gathered();
  return { log: pino(options, output), output };
}

async function forPeople(): Promise<LogOutput> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ singleLine: true, translateTime: 'HH:MM:ss' });
}

/** Writes the lines of one turn of the event loop together, at its end: one call of the system for many of them. */
function gathered(): LogOutput {
  const output = pino.destination({ sync: true });
  let lines = '';
  const flush = () => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      if (lines.length + line.length > PIECE) flush();
      lines += line;
    },
  };
}
