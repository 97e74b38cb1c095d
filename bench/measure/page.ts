import type { Browser, Page } from 'playwright-core';

/** What is longer can be felt: the page does not react meanwhile. */
const LONG_MS = 50;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds: how long it took, and how long of that the thread was running. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** How smooth a page was for a while, and how much of it there is afterwards. */
export interface Smoothness {
  /** The longest task of the page's main thread, by the clock, which depends on what else the machine does, and by its CPU time. */
  readonly longestTaskMs: number;
  readonly longestTaskCpuMs: number;
  /** Tasks with more than 50 ms of CPU time. */
  readonly longTasks: number;
  readonly frames: number;
  /** Frames that came more than 50 ms after the one before. */
  readonly longFrames: number;
  readonly mostRows: number;
  readonly heapBytes: number;
}

/** Counts frames and rows until it is stopped. */
const WATCH = `(() => {
  const seen = { frames: 0, longFrames: 0, mostRows: 0, isOver: false };
  let last = performance.now();
  const frame = (now) => {
    seen.frames++;
    if (now - last > ${LONG_MS}) seen.longFrames++;
    last = now;
    seen.mostRows = Math.max(seen.mostRows, document.getElementsByClassName('row').length);
    if (!seen.isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.watched = seen;
})()`;
const STOP = `(() => {
  watched.isOver = true;
  return watched;
})()`;

/** Measures the page while `work` runs. */
export async function measurePage(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<Smoothness> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await page.evaluate(WATCH);
  await work();
  const seen = (await page.evaluate(STOP)) as Pick<Smoothness, 'frames' | 'longFrames' | 'mostRows'>;
  const { traceEvents } = JSON.parse(`${await browser.stopTracing()}`) as { traceEvents: TraceEvent[] };
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return {
    ...seen,
    ...tasksIn(traceEvents),
    heapBytes: metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0,
  };
}

function tasksIn(
  events: readonly TraceEvent[],
): Pick<Smoothness, 'longestTaskMs' | 'longestTaskCpuMs' | 'longTasks'> {
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  );
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && main.has(thread(event)));
  const longest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const cpuMs = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return {
    longestTaskMs: longest(tasks.map(({ dur = 0 }) => dur / 1000)),
    longestTaskCpuMs: longest(cpuMs),
    longTasks: cpuMs.filter((ms) => ms > LONG_MS).length,
  };
}
