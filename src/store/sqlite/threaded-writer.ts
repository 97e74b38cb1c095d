import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../batcher.ts';
import { unknownOutcome } from './errors.ts';
import { revive, type Settled } from './settled.ts';
import type { Write } from './writer.ts';

/**
 * The writer on a thread of its own, so that a slow disk never holds up a reader. One batch at a time. A thread
 * that dies fails its batch, and the next batch gets a new thread.
 */
export class ThreadedWriter {
  readonly #path: string;
  #worker: Worker | undefined;
  /** The batch that is with the thread. */
  #sent: PromiseWithResolvers<Settled[]> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async commit(writes: Write[]): Promise<Outcome<unknown>[]> {
    this.#worker ??= this.#start();
    const sent = Promise.withResolvers<Settled[]>();
    this.#sent = sent;
    try {
      this.#worker.postMessage(writes);
      return (await sent.promise).map(revive);
    } catch (cause) {
      throw unknownOutcome(cause);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const exit = once(worker, 'exit');
    worker.postMessage('close');
    await exit;
  }

  #start(): Worker {
    const worker = new Worker(join(import.meta.dirname, 'writer-thread.ts'), {
      workerData: { path: this.#path },
    });
    worker.on('message', (settled: Settled[]) => {
      if (this.#worker === worker) this.#sent?.resolve(settled);
    });
    // What ends the thread fails the batch that waits for it; without a batch there is nobody to tell.
    const drop = (cause: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#sent?.reject(new Error('the writer thread ended', { cause }));
    };
    worker.on('error', drop).once('exit', drop);
    return worker;
  }
}
