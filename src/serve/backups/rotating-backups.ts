import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Log } from '../../log.ts';
import { counter, type Family, gauge } from '../../metrics/family.ts';
import { fileError } from '../../store/file-errors.ts';
import { removePartial } from '../../store/partial-file.ts';
import { type BackupProcess, startBackup, UNRESTORABLE } from './backup-process.ts';
import { type BackupRecord, writeRecord } from './backup-record.ts';

/** A failed backup is tried again after this time, or after the interval if that is shorter. */
const RETRY_MS = 5 * 60_000;
const NEVER = '1970-01-01';

interface BackupOptions {
  /** The URL of the database. */
  readonly url: string;
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
  readonly log: Log;
}

/**
 * Writes a backup at regular intervals, even across restarts, and keeps the newest ones. A file is deleted only if the record
 * says that a service has created it, and only after a newer backup was written: failures never reduce the backups.
 */
export class RotatingBackups {
  readonly #options: BackupOptions;
  #record: BackupRecord;
  #failures = 0;
  /** The size of the latest backup. */
  #bytes: number;
  #running: BackupProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: BackupOptions, record: BackupRecord) {
    this.#options = options;
    this.#record = record;
    this.#bytes = latestSize(options.folder, record.files);
  }

  start(): void {
    const { everyMs } = this.#options;
    const age = Date.now() - Date.parse(this.#record.succeededAt ?? NEVER);
    // A clock that was set back must not postpone the next one for long.
    this.#schedule(Math.min(Math.max(0, everyMs - age), everyMs));
  }

  /** Abandons a backup that is being written. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running?.stop();
  }

  families(): Family[] {
    const at = Date.parse(this.#record.succeededAt ?? NEVER) / 1000;
    const interval = this.#options.everyMs / 1000;
    return [
      gauge(
        'animal_store_backup_last_success_timestamp_seconds',
        'When the latest backup was written. 0 before the first one.',
        at,
      ),
      gauge('animal_store_backup_interval_seconds', 'Time from one backup to the next.', interval),
      gauge(
        'animal_store_backup_size_bytes',
        'Size of the latest backup. 0 before the first one.',
        this.#bytes,
      ),
      counter(
        'animal_store_backup_failures_total',
        'Backups that failed since the service was started.',
        this.#failures,
      ),
    ];
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    const startedAt = performance.now();
    const { url, folder, everyMs } = this.#options;
    const name = this.#newName();
    try {
      // Recorded first: a file that is not in the record would never be deleted.
      this.#save({ files: [...this.#record.files, name] });
      this.#running = startBackup(url, join(folder, name));
      const { animals, bytes, ms, problems } = await this.#running.result;
      this.#bytes = bytes;
      const { log } = this.#options;
      log.info({ file: name, animals, bytes, ms }, 'backup written');
      if (problems.length > 0)
        log.error(
          { file: name, problems },
          `${UNRESTORABLE}: run the doctor with the settings of the service`,
        );
      const { failure, failedAt, ...rest } = this.#record;
      this.#record = { ...rest, succeededAt: new Date().toISOString() };
      this.#save({ files: this.#rotate() });
    } catch (error) {
      this.#fail(name, fileError(error));
    }
    this.#running = undefined;
    if (this.#stopped) return;
    const interval = this.#record.failure === undefined ? everyMs : Math.min(everyMs, RETRY_MS);
    this.#schedule(Math.max(0, interval - (performance.now() - startedAt)));
  }

  #fail(name: string, error: Error): void {
    const { folder, log } = this.#options;
    const exists = this.#exists(name);
    const files = this.#record.files.filter((file) => file !== name || exists);
    this.#record = { ...this.#record, files };
    if (!this.#stopped) {
      this.#failures++;
      log.error({ reason: error.message, folder }, 'backup failed');
      this.#record = { ...this.#record, failedAt: new Date().toISOString(), failure: error.message };
    }
    try {
      this.#save({});
    } catch {
      // The folder cannot be written; the log has the reason.
    }
  }

  /** Deletes what is too old, and returns what is left. */
  #rotate(): string[] {
    const { folder, keep, log } = this.#options;
    const files = this.#record.files.filter((name) => this.#exists(name));
    const excess = files.slice(0, -keep).filter((name) => {
      try {
        rmSync(join(folder, name));
        return true;
      } catch (error) {
        log.warn({ err: error, file: name }, 'an old backup cannot be deleted');
        return false;
      }
    });
    return files.filter((name) => !excess.includes(name));
  }

  /** Whether the backup exists, as far as can be known. If not, removes what a killed backup process has left. */
  #exists(name: string): boolean {
    const file = join(this.#options.folder, name);
    try {
      if (existsSync(file)) return true;
      removePartial(file);
      return false;
    } catch {
      // The folder cannot be read: the next backup that succeeds looks again.
      return true;
    }
  }

  #save(change: Partial<BackupRecord>): void {
    this.#record = { ...this.#record, ...change };
    writeRecord(this.#options.folder, this.#record);
  }

  /** `pets-20261115T181500Z.db` for the database `pets.db`. */
  #newName(): string {
    const { database } = this.#record;
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    return `${basename(database, extname(database))}-${time}.db`;
  }
}

/** The size of the newest of these files that is still there; 0 without one. */
function latestSize(folder: string, files: readonly string[]): number {
  const sizes = files.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);
  return sizes.findLast((size) => size !== undefined) ?? 0;
}
