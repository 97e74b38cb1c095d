import type { ProcessLog } from './log-output.ts';
import { openLogTarget } from './log-target.ts';

/** Makes sure that an unexpected error never ends the process without a trace, and a closed standard stream not at all. */
export function handleProcessErrors({ log, output }: ProcessLog): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => {});
  }
  // Unhandled rejections arrive here as well. The state of the process is unknown afterwards, so it exits.
  process.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'exiting because of an unexpected error');
    if (!output.flushSync()) writeToStderr(`animal-store: unexpected error: ${error.stack}\n`);
    process.exit(1);
  });
}

function writeToStderr(text: string): void {
  try {
    openLogTarget(2).writeSync(Buffer.from(text));
  } catch {
    // Standard error is full or closed, too.
  }
}
