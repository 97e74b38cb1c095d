import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../batcher.ts';
import { unknownOutcome } from '../errors.ts';
import type { DatabaseFiles } from '../file-identity.ts';
import { stopAfter } from '../suspension.ts';
import { decodeOutcome, type EncodedOutcome, type Write } from './writer.ts';

/** TypeScript in a checkout, JavaScript in the npm package. */
const THREAD = join(import.meta.dirname, `writer-thread${extname(import.meta.filename)}`);

export interface ThreadData {
  readonly path: string;
  readonly files: DatabaseFiles | undefined;
  /** How long a write waits for a lock that another process holds. */
  readonly busyMs: number;
}

/** What the thread is told: writes to commit, or to open the database. */
export type WriterMessage = Write[] | 'open' | 'close';

/**
 * The writer on a separate thread, so that a slow disk never delays a reader. One batch at a time. A thread that dies
 * fails its batch, and the next batch gets a new thread. Writes only to the database in `files`, even if the path
 * names another file by then; `report` is told when it does, although nothing is written.
 */
export class ThreadedWriter {
  readonly #data: ThreadData;
  readonly #report: (message: string) => void;
  #worker: Worker | undefined;
  /** The batch that the thread is committing. */
  #sent: PromiseWithResolvers<EncodedOutcome[] | EncodedOutcome> | undefined;

  constructor(data: ThreadData, report: (message: string) => void = () => {}) {
    this.#data = data;
    this.#report = report;
  }

  /** Starts the thread. If it cannot use the database, ends it and rejects: a thread that keeps running would keep the process from exiting. */
  async open(): Promise<void> {
    await this.#send('open').catch(async (error) => {
      await this.close();
      throw error;
    });
  }

  commit(writes: Write[]): Promise<Outcome<unknown>[]> {
    return stopAfter(this.#send(writes));
  }

  async #send(message: WriterMessage): Promise<Outcome<unknown>[]> {
    this.#worker ??= this.#start();
    const sent = Promise.withResolvers<EncodedOutcome[] | EncodedOutcome>();
    this.#sent = sent;
    this.#worker.postMessage(message);
    const outcomes = await sent.promise.catch((cause) => {
      throw unknownOutcome(cause);
    });
    if (Array.isArray(outcomes)) return outcomes.map(decodeOutcome);
    const failure = decodeOutcome(outcomes);
    if (!failure.ok) throw failure.error;
    return [];
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const { promise: exit, resolve } = Promise.withResolvers<unknown>();
    worker.once('exit', resolve);
    worker.postMessage('close' satisfies WriterMessage);
    await exit;
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { workerData: this.#data });
    // Text is a line for the log.
    worker.on('message', (message: string | object) => {
      if (this.#worker !== worker) return;
      if (typeof message === 'string') this.#report(message);
      // With --watch, Node itself sends the names of the modules that the thread loads.
      else if (isOutcome(message)) this.#sent?.resolve(message);
    });
    // Without a pending batch there is nothing to fail.
    const drop = (cause: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#sent?.reject(new Error('the writer thread ended', { cause }));
    };
    worker.on('error', drop).once('exit', drop);
    return worker;
  }
}

const isOutcome = (message: object): message is EncodedOutcome[] | EncodedOutcome =>
  Array.isArray(message) || 'ok' in message;
