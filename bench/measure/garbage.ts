import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GCProfilerResult } from 'node:v8';

const POLL_INTERVAL_MS = 5;
const TIMEOUT_MS = 10_000;

/** What minor garbage collections (scavenges) of the main thread cost. */
export interface Garbage {
  readonly scavenges: number;
  /** Bytes moved to the old generation. */
  readonly promoted: number;
  readonly meanMs: number;
}

/** The environment of a server whose garbage collections can be recorded into this file. */
export function gcRecorderEnv(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import ${join(import.meta.dirname, 'gc-recorder.ts')}`, GC_RECORDING: file };
}

/** Records the garbage collections of a server while `work` runs. */
export async function recordGarbage<T>(
  pid: number,
  file: string,
  work: () => Promise<T>,
): Promise<Garbage & { readonly result: T }> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await waitFor(file, (text) => text === 'recording');
  const result = await work();
  process.kill(pid, 'SIGUSR2');
  const recording = await waitFor(file, (text) => text.startsWith('{'));
  return { ...summarize(JSON.parse(recording) as GCProfilerResult), result };
}

function summarize({ statistics }: GCProfilerResult): Garbage {
  const minor = statistics.filter(({ gcType }) => gcType === 'Scavenge');
  const promoted = minor.reduce(
    (sum, { beforeGC, afterGC }) => sum + Math.max(0, oldBytes(afterGC) - oldBytes(beforeGC)),
    0,
  );
  const microseconds = minor.reduce((sum, { cost }) => sum + cost, 0);
  return { scavenges: minor.length, promoted, meanMs: microseconds / 1000 / Math.max(1, minor.length) };
}

type HeapState = GCProfilerResult['statistics'][number]['afterGC'];

function oldBytes({ heapSpaceStatistics }: HeapState): number {
  return heapSpaceStatistics
    .filter(({ spaceName }) => !spaceName.startsWith('new_'))
    .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0);
}

async function waitFor(file: string, isDone: (text: string) => boolean): Promise<string> {
  for (const started = performance.now(); performance.now() - started < TIMEOUT_MS; ) {
    const text = readIfThere(file);
    if (isDone(text)) return text;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error('the server did not record its garbage collections');
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
