import { type Logger, pino } from 'pino';

/** One JSON line an event on standard output; on a terminal, the same for people. */
export async function createLog(): Promise<Logger> {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ singleLine: true, translateTime: 'HH:MM:ss' }));
}
