import { progressLine } from '../data/progress.ts';

const TERMINAL_MS = 200;
const LINES_MS = 5000;

/** Shows on standard error how far a command is: one line that changes on a terminal, a line now and then elsewhere. */
export class ProgressReport {
  readonly #fraction: () => number | undefined;
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #startedAt = performance.now();
  #shownAt = this.#startedAt;
  #rows = 0;
  #isLineOpen = false;

  /** `fraction` tells how much of the input is read, from 0 to 1. */
  constructor(fraction: () => number | undefined = () => undefined) {
    this.#fraction = fraction;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  add(rows: number): void {
    this.#rows += rows;
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? TERMINAL_MS : LINES_MS)) return;
    this.#shownAt = now;
    const line = progressLine({ rows: this.#rows, elapsedMs: this.elapsedMs, fraction: this.#fraction() });
    this.#show(line);
  }

  /** A step without a measure. Only shown on a terminal: elsewhere the next line is the result. */
  step(text: string): void {
    if (this.#isTerminal) this.#show(text);
  }

  /** A line of its own, which stays. */
  note(text: string): void {
    this.clear();
    process.stderr.write(`${text}\n`);
  }

  /** Removes the changing line from the terminal. */
  clear(): void {
    if (this.#isLineOpen) process.stderr.write('\r\x1b[K');
    this.#isLineOpen = false;
  }

  #show(text: string): void {
    this.#isLineOpen = this.#isTerminal;
    process.stderr.write(this.#isTerminal ? `\r${text}\x1b[K` : `${text}\n`);
  }
}
