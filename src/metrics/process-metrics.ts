import { readdirSync } from 'node:fs';
import { counter, type Family, gauge, histogram } from './family.ts';
import { Histogram } from './instruments.ts';

const SAMPLE_MS = 50;

/** Measures the event loop with one timer, which runs every 50 ms, or once per iteration when an iteration takes longer. */
export class EventLoop {
  readonly #readers: ((ms: number) => void)[] = [];

  constructor() {
    let previous = performance.now();
    setInterval(() => {
      const now = performance.now();
      const ms = now - previous;
      previous = now;
      // After a long pause a timer can fire twice in a row; that says nothing about the load.
      if (ms >= SAMPLE_MS / 2) for (const read of this.#readers) read(ms);
    }, SAMPLE_MS).unref();
  }

  /** From now on, `read` gets the time since the previous sample. */
  onSample(read: (ms: number) => void): void {
    this.#readers.push(read);
  }
}

const DELAY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The figures of this process, under the names that other exporters use. */
export class ProcessMetrics {
  readonly #delays = new Histogram(DELAY_SECONDS);

  constructor(eventLoop: EventLoop) {
    eventLoop.onSample((ms) => this.#delays.observe(Math.max(0, ms - SAMPLE_MS) / 1000));
  }

  families(): Family[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const { active } = performance.eventLoopUtilization();
    const start = performance.timeOrigin / 1000;
    const files = openFiles();
    return [
      counter('process_cpu_seconds_total', 'CPU time used.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Memory in use.', rss),
      gauge('process_start_time_seconds', 'When the service was started.', start),
      ...(files === undefined ? [] : [gauge('process_open_fds', 'Open file descriptors.', files)]),
      gauge('nodejs_heap_size_used_bytes', 'Memory in use on the JavaScript heap.', heapUsed),
      counter('nodejs_eventloop_active_seconds_total', 'Time the event loop was busy.', active / 1000),
      histogram(
        'nodejs_eventloop_delay_seconds',
        `How late timers were: a sample every ${SAMPLE_MS} ms.`,
        this.#delays.samples(),
      ),
    ];
  }
}

/** How many files and sockets this process has open; undefined where the system does not tell. */
export function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
