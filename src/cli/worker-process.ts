import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Config, UsageError } from '../config.ts';
import type { SharedWriter } from '../store/shared-writer.ts';
import type { Taker } from './door.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

const PROGRAM = join(import.meta.dirname, 'worker.ts');

/** A worker as the primary sees it. */
export class WorkerProcess implements Taker {
  readonly #writer: SharedWriter | undefined;
  readonly #ready = Promise.withResolvers<void>();
  readonly #signalled = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<number | string>();
  #child: ChildProcess | undefined;
  #serves = false;
  #onTaken: ((taken: boolean) => void) | undefined;

  constructor(config: Config, writer: SharedWriter | undefined) {
    this.#writer = writer;
    this.#ready.promise.catch(() => {});
    try {
      this.#child = this.#start();
    } catch (error) {
      // No memory for another process, for one.
      this.#end((error as Error).message);
    }
    this.#say({ config });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether it has begun to serve. */
  get serves(): boolean {
    return this.#serves;
  }

  /** Resolves when it serves, and rejects with what it says when it cannot. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when somebody has signalled it. It serves on until it is told to leave. */
  get signalled(): Promise<void> {
    return this.#signalled.promise;
  }

  /** Resolves with its exit code, or with what ended it. */
  get gone(): Promise<number | string> {
    return this.#gone.promise;
  }

  take(socket: Socket, done: (taken: boolean) => void): void {
    this.#onTaken = done;
    this.#say('connection', socket);
  }

  /** In order, if it serves anybody yet. */
  leave(): void {
    if (this.#serves) this.#say('leave');
    else this.kill();
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // 64-bit integers are on the way, too.
      serialization: 'advanced',
    });
    child.on('message', (message: ToPrimary) => this.#hear(message));
    // Not `exit`: what it said before its end is to be heard first.
    child.once('close', (code, signal) => this.#end(signal ?? code ?? 'unknown'));
    child.on('error', (error) => this.#end(error.message));
    return child;
  }

  /** What does not arrive was for a worker that is gone, and we are told of that. */
  #say(message: ToWorker, socket?: Socket): void {
    this.#child?.send?.(message, socket, { keepOpen: true }, () => {});
  }

  #hear(message: ToPrimary): void {
    if (message === 'ready') {
      this.#serves = true;
      this.#ready.resolve();
    } else if (message === 'signalled') {
      this.#signalled.resolve();
    } else if (message === 'taken') {
      this.#settle(true);
    } else if ('batch' in message) {
      const { number, batch } = message;
      void this.#writer?.commit(batch).then((outcome) => this.#say({ number, outcome }));
    } else {
      const { reason, usage } = message.failed;
      this.#ready.reject(usage ? new UsageError(reason) : new Error(reason));
    }
  }

  #end(how: number | string): void {
    this.#ready.reject(new Error(`a worker ended before it could serve (${how})`));
    this.#settle(false);
    this.#gone.resolve(how);
  }

  #settle(taken: boolean): void {
    const done = this.#onTaken;
    this.#onTaken = undefined;
    done?.(taken);
  }
}
