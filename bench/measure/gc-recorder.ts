import { renameSync, writeFileSync } from 'node:fs';
import { GCProfiler } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a server (`--import`): records its garbage collections. SIGUSR2 starts a recording; the next one ends
 * it. The file GC_RECORDING tells the state: `recording`, then the recording itself as JSON.
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
