import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { answers, kill, start, until } from './processes.ts';

const ROOT = join(import.meta.dirname, '../..');

export const API_KEY = 'key-of-the-demonstration';

export class Instance {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  readonly #databaseUrl: string;
  #child: ChildProcess | undefined;

  constructor(options: { name: string; port: number; folder: string; databaseUrl: string }) {
    this.name = options.name;
    this.port = options.port;
    this.#folder = options.folder;
    this.#databaseUrl = options.databaseUrl;
  }

  /** Starts it and waits until it can write to the database. */
  async start(): Promise<void> {
    this.#child = await start({
      file: process.execPath,
      args: [join(ROOT, 'bin/animal-store.js'), 'serve'],
      env: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(this.port),
        DATABASE_URL: this.#databaseUrl,
        API_KEYS: API_KEY,
        TRUST_PROXY: '127.0.0.1',
      },
      log: join(this.#folder, `instance-${this.name}.log`),
    });
    await until(`the start of instance ${this.name}`, 60, () =>
      answers(`http://127.0.0.1:${this.port}/readyz`),
    );
  }

  async kill(): Promise<void> {
    if (this.#child) await kill(this.#child);
  }
}
