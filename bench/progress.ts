import { interrupted } from './endings.ts';

/** Between two lines of a log. */
const EVERY_MS = 10_000;
/** The share of the work after which the rest can be told. */
const KNOWN = 0.05;

/** Tells how far we are, on one line of a terminal or now and then in a log, and keeps what went wrong. */
export class Progress {
  readonly problems: string[] = [];
  readonly #terminal = process.stdout.isTTY;
  #started = 0;
  #shown = Number.NEGATIVE_INFINITY;
  #planned = 0;
  #done = 0;

  /** How many more seconds are ahead, about: what is not foreseen only stretches them. The clock runs from the first. */
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

  /** Something that is missing from the result. Said at once, and again in the report. */
  problem(text: string): void {
    this.problems.push(text.split('\n')[0] as string);
    this.print(`\nNOT MEASURED: ${text}\n`);
  }

  get minutes(): string {
    return ((performance.now() - this.#started) / 60_000).toFixed(1);
  }

  #show(what: string): void {
    const now = performance.now();
    if (interrupted || (!this.#terminal && now - this.#shown < EVERY_MS)) return;
    this.#shown = now;
    const share = this.#done / this.#planned;
    const left = (((1 - share) / share) * (now - this.#started)) / 1000;
    const percent = `${Math.floor(100 * share)} %`.padStart(5);
    const line = `${percent}${share > KNOWN ? `, about ${duration(left)} left` : ''}: ${what}`;
    this.#clear();
    process.stdout.write(this.#terminal ? line.slice(0, process.stdout.columns - 1) : `${line}\n`);
  }

  #clear(): void {
    if (this.#terminal) process.stdout.write('\r\x1b[2K');
  }
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
