import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { UsageError } from '../config.ts';
import type { Format, InvalidRow } from '../data/rows.ts';
import { statIfExists } from '../store/database-files.ts';
import { assertFolder, fileError } from '../store/file-errors.ts';

/**
 * The file of the rows that were left out: as they were, so that they can be fixed and imported. It is created if there are
 * any, and gets its name when the others are imported: an interrupted import leaves at most a file `….partial-…`.
 */
export class RejectedRows {
  readonly #partial: string;
  #path: string;
  #file: FileHandle | undefined;

  /** Refuses to replace a file: it may hold the rows of an earlier import. */
  constructor(path: string) {
    if (statIfExists(path))
      throw new UsageError(
        `${path} exists and may hold rows of an earlier import: move it away, or name another file with --rejected`,
      );
    assertFolder(dirname(path));
    this.#path = path;
    this.#partial = `${path}.partial-${process.pid}`;
  }

  get path(): string {
    return this.#path;
  }

  async add({ header, source }: InvalidRow): Promise<void> {
    const isFirst = !this.#file;
    this.#file ??= await open(this.#partial, 'w');
    await this.#file.write(isFirst ? header + source : source).catch(this.#fail);
  }

  /** The rows are on the disk when it resolves. */
  async close(): Promise<void> {
    await this.#file?.sync().catch(this.#fail);
    await this.#file?.close();
  }

  readonly #fail = (error: unknown): never => {
    throw fileError(error, [this.#partial]);
  };

  /**
   * Gives the file its name, after the valid rows were imported. If that is not possible, for example because another import has
   * created a file of that name, the rows stay where they are: an error would make the caller import the others again.
   */
  async publish(): Promise<void> {
    if (!this.#file) return;
    try {
      // `rename` alone would replace the file of the other import.
      await (await open(this.#path, 'wx')).close();
      await rename(this.#partial, this.#path);
    } catch {
      this.#path = this.#partial;
    }
  }

  /** For an import that has failed: all of its rows are still to be imported. */
  async remove(): Promise<void> {
    if (!this.#file) return;
    await this.#file.close().catch(() => {});
    await rm(this.#partial, { force: true });
  }
}

/** `pets.csv` becomes `pets.rejected.csv`, beside it; for standard input `rejected.csv` in the working directory. */
export function rejectedPath(input: string, format: Format): string {
  if (input === '-') return `rejected.${format}`;
  const { dir, name, ext } = parse(input);
  return `${dir === '' ? '' : `${dir}/`}${name}.rejected${ext || `.${format}`}`;
}
