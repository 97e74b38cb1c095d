import { renameSync, writeFileSync } from 'node:fs';
import { GCProfiler } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a server (`--import`) to record its garbage collections. SIGUSR2 starts a recording, and again SIGUSR2 ends
 * it. The file GC_RECORDING contains `recording` in between and then the result as JSON.
 */
const { GC_RECORDING = '' } = process.env;
let profiler: GCProfiler | undefined;

function publish(text: string): void {
  writeFileSync(`${GC_RECORDING}.new`, text);
  renameSync(`${GC_RECORDING}.new`, GC_RECORDING);
}

function toggle(): void {
  if (profiler) {
    publish(JSON.stringify(profiler.stop()));
    profiler = undefined;
    return;
  }
  profiler = new GCProfiler();
  profiler.start();
  publish('recording');
}

if (isMainThread) process.on('SIGUSR2', toggle);
