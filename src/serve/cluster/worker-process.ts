import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { extname, join } from 'node:path';
import { type Config, UsageError } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Family } from '../../metrics/family.ts';
import type { SharedWriter } from '../../store/open-options.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import type { Receiver } from './dispatcher.ts';
import { Heartbeat, type Supervised } from './heartbeat.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/** TypeScript in a checkout, JavaScript in the npm package. */
const PROGRAM = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);

const failures = { usage: UsageError, unavailable: StoreUnavailableError, unexpected: Error };

interface WorkerOptions {
  readonly config: Config;
  readonly writer: SharedWriter | undefined;
  readonly log: Log;
  readonly scrape: () => Promise<string>;
}

/** A worker as the primary sees it. */
export class WorkerProcess implements Receiver, Supervised {
  readonly #options: WorkerOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #signalled = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<number | string>();
  readonly #heartbeat: Heartbeat;
  #child: ChildProcess | undefined;
  #isReady = false;
  #hasExited = false;
  #onMetrics = (_families: readonly Family[]): void => {};
  #onReceived: ((received: boolean) => void) | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => {});
    this.#heartbeat = new Heartbeat(this, options.log);
    try {
      this.#child = this.#start();
    } catch (error) {
      // For example, there is no memory for another process.
      this.#onExit((error as Error).message);
    }
    this.#send({ config: options.config });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when it accepts connections; rejects with its reason when it cannot start. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the worker itself has received a signal. It continues until `stop`. */
  get signalled(): Promise<void> {
    return this.#signalled.promise;
  }

  /** Resolves with the exit code, or with what ended the process. */
  get exited(): Promise<number | string> {
    return this.#exited.promise;
  }

  receive(socket: Socket, done: (received: boolean) => void): void {
    this.#onReceived = done;
    if (this.#hasExited) this.#settleReceived(false);
    else this.#send('connection', socket);
  }

  /** Resolves with its metrics. Never resolves if it does not respond. One call at a time. */
  collectMetrics(): Promise<readonly Family[]> {
    return new Promise((resolve) => {
      this.#onMetrics = resolve;
      this.#send('collect');
    });
  }

  /** Stops it gracefully. One that is not ready yet has nothing to finish. */
  stop(): void {
    if (this.#isReady) this.#send('stop');
    else this.kill();
  }

  /** Makes it call `answer` of the heartbeat. */
  ping(): void {
    this.#send('ping');
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Messages contain 64-bit integers, which JSON has no type for.
      serialization: 'advanced',
    });
    child.on('message', (message: ToPrimary) => this.#onMessage(message));
    // Not `exit`, which can precede the last messages.
    child.once('close', (code, signal) => this.#onExit(signal ?? code ?? 'unknown'));
    child.on('error', (error) => this.#onExit(error.message));
    return child;
  }

  /** A message that cannot be delivered is for a worker that has ended, which `close` reports. */
  #send(message: ToWorker, socket?: Socket): void {
    this.#child?.send?.(message, socket, { keepOpen: true }, () => {});
  }

  #onMessage(message: ToPrimary): void {
    if (message === 'ready') {
      this.#isReady = true;
      this.#heartbeat.start();
      this.#ready.resolve();
    } else if (message === 'signalled') {
      this.#signalled.resolve();
    } else if (message === 'pong') {
      this.#heartbeat.answer();
    } else if (message === 'received') {
      this.#settleReceived(true);
    } else if ('batch' in message) {
      const { id, batch } = message;
      void this.#options.writer?.commit(batch).then((outcome) => this.#send({ id, outcome }));
    } else if ('metrics' in message) {
      this.#onMetrics(message.metrics);
    } else if ('scrape' in message) {
      const { scrape } = message;
      // Without an answer the worker reports a time-out.
      void this.#options.scrape().then(
        (text) => this.#send({ scrape, text }),
        () => {},
      );
    } else {
      const { reason, kind } = message.failed;
      this.#ready.reject(new failures[kind](reason));
    }
  }

  #onExit(reason: number | string): void {
    this.#hasExited = true;
    this.#heartbeat.stop();
    this.#ready.reject(new Error(`a worker ended before it was ready (${reason})`));
    this.#settleReceived(false);
    this.#exited.resolve(reason);
  }

  #settleReceived(received: boolean): void {
    const done = this.#onReceived;
    this.#onReceived = undefined;
    done?.(received);
  }
}
