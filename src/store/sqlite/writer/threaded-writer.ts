import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../batcher.ts';
import { unknownOutcome } from '../errors.ts';
import type { DatabaseFiles } from '../file/file-identity.ts';
import { decodeOutcome, type EncodedOutcome, type Write } from './writer.ts';

/** TypeScript in a checkout, JavaScript in the npm package. */
const THREAD = join(import.meta.dirname, `writer-thread${extname(import.meta.filename)}`);

/**
 * The writer on a separate thread, so that a slow disk never delays a reader. One batch at a time. A thread that dies
 * fails its batch, and the next batch gets a new thread. Writes only to the database in `files`, even if the path
 * names another file by then.
 */
export class ThreadedWriter {
  readonly #workerData: { readonly path: string; readonly files: DatabaseFiles | undefined };
  #worker: Worker | undefined;
  /** The batch that the thread is committing. */
  #sent: PromiseWithResolvers<EncodedOutcome[] | EncodedOutcome> | undefined;

  constructor(path: string, files: DatabaseFiles | undefined) {
    this.#workerData = { path, files };
  }

  async commit(writes: Write[]): Promise<Outcome<unknown>[]> {
    this.#worker ??= this.#start();
    const sent = Promise.withResolvers<EncodedOutcome[] | EncodedOutcome>();
    this.#sent = sent;
    this.#worker.postMessage(writes);
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
    const exit = once(worker, 'exit');
    worker.postMessage('close');
    await exit;
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { workerData: this.#workerData });
    worker.on('message', (message: object) => {
      // With --watch, Node itself sends the names of the modules that the thread loads.
      if (this.#worker === worker && isAnswer(message)) this.#sent?.resolve(message);
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

const isAnswer = (message: object): message is EncodedOutcome[] | EncodedOutcome =>
  Array.isArray(message) || 'ok' in message;
