import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join, resolve } from 'node:path';

/** TypeScript in a checkout, JavaScript in the npm package. */
const MAIN = join(import.meta.dirname, `../../main${extname(import.meta.filename)}`);
const MAX_OUTPUT = 10_000;

/** What a person should know about a backup with problems. */
export const UNRESTORABLE = 'the backup has all data, but cannot be restored as it is';

/** What `animal-store backup --json` prints. */
interface BackupResult {
  readonly animals: number;
  readonly bytes: number;
  readonly ms: number;
  /** What is not as the program creates it, although the backup has all data. */
  readonly problems: readonly string[];
}

export interface BackupProcess {
  /** Rejects with the reason when there is no backup. */
  readonly result: Promise<BackupResult>;
  /** Ends it early. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `animal-store backup` in a separate process: SQLite blocks its thread until the copy is complete, and a process can be ended
 * at any moment. It has its own process group, so that Ctrl-C on a terminal reaches only the service, which stops it.
 */
export function startBackup(database: string, file: string): BackupProcess {
  const child = spawn(process.execPath, [MAIN, 'backup', resolve(file), '--database', database, '--json'], {
    // Without what NODE_OPTIONS loads into the service: it may print to the output that is read here.
    env: { ...process.env, NODE_OPTIONS: '--disable-sigusr1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const endWithService = () => child.kill('SIGKILL');
  process.once('exit', endWithService);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] = (output[name] + text).slice(-MAX_OUTPUT);
    });
  }
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const result = closed
    .then(([code, signal]) => {
      if (code === 0) return JSON.parse(output.stdout) as BackupResult;
      const reason = output.stderr.trim().replace(/^animal-store: /, '');
      throw new Error(reason || `the backup ended with ${signal ?? code}`);
    })
    .finally(() => process.off('exit', endWithService));
  return {
    result,
    async stop() {
      child.kill('SIGKILL');
      await closed.catch(() => {});
    },
  };
}
