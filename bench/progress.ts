import { interrupted } from './cleanup.ts';

/** The interval between two progress lines when standard output is not a terminal. */
const LOG_INTERVAL_MS = 10_000;
/** The share of the work that must be done before the remaining time can be estimated. */
const ESTIMATE_FROM = 0.05;

/** Shows progress, on one line of a terminal or every few seconds in a log, and collects problems. */
export class Progress {
  readonly problems: string[] = [];
  readonly #isTerminal = process.stdout.isTTY;
  #started = 0;
  #lastShown = Number.NEGATIVE_INFINITY;
  #planned = 0;
  #done = 0;

  /** Adds an estimate in seconds to the planned work. The clock starts with the first call. */
  plan(seconds: number): void {
    if (this.#planned === 0) this.#started = performance.now();
    this.#planned += seconds;
  }

  async during<T>(what: string, seconds: number, work: () => Promise<T>): Promise<T> {
    this.#show(what);
    try {
      return await work();
    } finally {
      this.#done += seconds;
    }
  }

  print(text: string): void {
    if (interrupted) return;
    this.#clear();
    process.stdout.write(`${text}\n`);
  }

  /** Records something that is missing from the results: printed now, and again in the report. */
  problem(text: string): void {
    this.problems.push(text.split('\n')[0] as string);
    this.print(`\nNOT MEASURED: ${text}\n`);
  }

  get minutes(): string {
    return ((performance.now() - this.#started) / 60_000).toFixed(1);
  }

  #show(what: string): void {
    const now = performance.now();
    if (interrupted || (!this.#isTerminal && now - this.#lastShown < LOG_INTERVAL_MS)) return;
    this.#lastShown = now;
    const share = this.#done / this.#planned;
    const left = (((1 - share) / share) * (now - this.#started)) / 1000;
    const percent = `${Math.floor(100 * share)} %`.padStart(5);
    const line = `${percent}${share > ESTIMATE_FROM ? `, about ${duration(left)} left` : ''}: ${what}`;
    this.#clear();
    process.stdout.write(this.#isTerminal ? line.slice(0, process.stdout.columns - 1) : `${line}\n`);
  }

  #clear(): void {
    if (this.#isTerminal) process.stdout.write('\r\x1b[2K');
  }
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
