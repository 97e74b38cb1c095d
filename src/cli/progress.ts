import { constants, getPriority, setPriority } from 'node:os';
import type { BackupResult } from '../store/tools/backup.ts';
import { type Io, note } from './io.ts';

const TERMINAL_MS = 200;
const LINES_MS = 5000;

/** Shows on standard error how far a command is: one line that changes on a terminal, a line now and then elsewhere. */
export class ProgressReport {
  readonly #io: Io;
  readonly #fraction: () => number | undefined;
  readonly #isTerminal: boolean;
  readonly #startedAt = performance.now();
  #shownAt = this.#startedAt;
  #rows = 0;
  readonly #what: string;
  #isLineOpen = false;

  /** `fraction` returns how much of the input is read, from 0 to 1. */
  constructor(io: Io, fraction: () => number | undefined = () => undefined, what = 'rows') {
    this.#io = io;
    this.#what = what;
    this.#fraction = fraction;
    this.#isTerminal = io.stderr.isTTY === true;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  add(rows: number): void {
    this.#rows += rows;
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? TERMINAL_MS : LINES_MS)) return;
    this.#shownAt = now;
    const line = progressLine(
      { rows: this.#rows, elapsedMs: this.elapsedMs, fraction: this.#fraction() },
      this.#what,
    );
    this.#show(line);
  }

  /** Shows a step without a measure, but only on a terminal: elsewhere the next line is the result. */
  step(text: string): void {
    if (this.#isTerminal) this.#show(text);
  }

  /** Prints a line that stays. */
  note(text: string): void {
    this.clear();
    note(this.#io, text);
  }

  /** Removes the changing line from the terminal. */
  clear(): void {
    if (this.#isLineOpen) this.#io.stderr.write('\r\x1b[K');
    this.#isLineOpen = false;
  }

  #show(text: string): void {
    this.#isLineOpen = this.#isTerminal;
    this.#io.stderr.write(this.#isTerminal ? `\r${text}\x1b[K` : `${text}\n`);
  }
}

/** Runs `copy` and shows its steps on a terminal. Resolves with its result and the time it took. */
export async function withCopyProgress(
  io: Io,
  copy: (onVerify: () => void) => Promise<BackupResult>,
): Promise<BackupResult & { readonly ms: number }> {
  lowerPriority();
  const progress = new ProgressReport(io);
  progress.step('Copying …');
  const result = await copy(() => progress.step('Verifying the copy …')).finally(() => progress.clear());
  return { ...result, ms: Math.round(progress.elapsedMs) };
}

/** A service on the same machine comes first. Not every environment allows changing the priority. */
function lowerPriority(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (getPriority() < low) setPriority(low);
  } catch {}
}

/** One line such as `120,000 rows, 41,000 per second, 12 s left`. The remaining time needs `fraction`, from 0 to 1. */
export function progressLine(
  { rows, elapsedMs, fraction }: { rows: number; elapsedMs: number; fraction?: number | undefined },
  what = 'rows',
): string {
  const parts = [`${format(rows)} ${what}`];
  if (elapsedMs > 0) parts.push(`${format((rows / elapsedMs) * 1000)} per second`);
  if (fraction !== undefined && fraction > 0)
    parts.push(`${duration((elapsedMs / fraction) * (1 - fraction))} left`);
  return parts.join(', ');
}

const format = (count: number): string => Math.round(count).toLocaleString('en');

function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
