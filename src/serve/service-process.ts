import type { Config } from '../config.ts';
import { counter } from '../metrics/family.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openLog, type ProcessLog } from './log-output.ts';
import { openLogTarget } from './log-target.ts';
import { ignoreOtherSignals } from './shutdown.ts';

/** Opens the log and the metrics of a process of the service, and handles its unexpected errors and signals. */
export function openServiceProcess(config: Config): { processLog: ProcessLog; metrics: Metrics } {
  const processLog = openLog(config);
  const { log, output } = processLog;
  handleProcessErrors(processLog);
  ignoreOtherSignals(log);
  const metrics = new Metrics();
  metrics.add(() => [
    counter(
      'animal_store_log_lines_dropped_total',
      'Log lines that were dropped because they could not be written in time.',
      output.dropped,
    ),
  ]);
  return { processLog, metrics };
}

/** Makes sure that an unexpected error never ends the process without a trace, and a closed standard stream not at all. */
function handleProcessErrors({ log, output }: ProcessLog): void {
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
