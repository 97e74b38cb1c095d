import type { RunningService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const ERROR_LEVEL = 50;
const MAX_LINES = 5;

/** What is wrong with a service after it was fuzzed: it ended, cannot write, or has logged an error or something odd. */
export async function problemsOf(service: RunningService): Promise<string[]> {
  const { child, origin, output } = service;
  if (child.exitCode !== null || child.signalCode !== null)
    return [`the service has ended: ${output.stderr}`];
  const { status } = await call(origin, 'GET', '/readyz', { key: null });
  const lines = output.stdout.split('\n').slice(0, -1).filter(isProblem).slice(0, MAX_LINES);
  const errors = service.errors();
  return [
    ...(status === 200 ? [] : [`/readyz answers ${status}`]),
    ...(errors === '' ? [] : [`on standard error: ${errors}`]),
    ...lines.map((line) => `in the log: ${line}`),
  ];
}

/** Whether the line is an error, or is no line that the service would write. */
function isProblem(line: string): boolean {
  try {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    return level >= ERROR_LEVEL || typeof msg !== 'string';
  } catch {
    return true;
  }
}
