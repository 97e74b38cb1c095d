import { createReadStream, fstatSync, type ReadStream, statSync } from 'node:fs';
import { type Flags, UsageError } from '../config.ts';
import { NewPet, type Pet } from '../contract/pet.ts';
import type { Fields } from '../contract/validate.ts';
import { KeptPet } from '../data/kept-pet.ts';
import { readRows } from '../data/read.ts';
import type { InvalidRow } from '../data/row.ts';
import { validValues } from '../data/valid-values.ts';
import { importPets } from '../store/import-pets.ts';
import { type Command, print } from './command.ts';
import { count, hintAboutKeys, seconds } from './data-messages.ts';
import { assertDatabase, createFlag, isNewDefault } from './database.ts';
import { formatFor } from './format-flag.ts';
import { ProgressReport } from './progress.ts';
import { RejectedRows, rejectedPath } from './rejected-rows.ts';

/** About 1,000 rows: enough for one statement, and little memory. */
const CHUNK_BYTES = 64 * 1024;

export const importCommand: Command = {
  summary: 'Add the animals of an NDJSON or CSV file, all of them or none.',
  details:
    'FILE may be - for standard input. The service may run meanwhile. Every invalid row is reported with its line.\n' +
    'CSV begins with a row of column names: name, categoryId and, if given, status. See docs/data.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: {
    format: { type: 'string', meaning: 'ndjson or csv; default: by the extension of the file' },
    'keep-ids': { type: 'boolean', meaning: 'keep the ids of the rows; only in a store without animals' },
    'skip-invalid': { type: 'boolean', meaning: 'import the valid rows, and write the others to a file' },
    rejected: { type: 'string', meaning: 'that file; default: FILE with .rejected before its extension' },
    'dry-run': { type: 'boolean', meaning: 'only check the rows' },
    create: createFlag,
  },
  async run({ config, flags, positionals: [file = ''] }) {
    const { input, format, keepIds, dryRun } = optionsOf(file, flags);
    const create = flags.create === true || isNewDefault(config);
    if (!dryRun) assertDatabase(config, create);
    const skipInvalid = flags['skip-invalid'] === true;
    const rejected =
      skipInvalid && !dryRun
        ? new RejectedRows(String(flags.rejected ?? rejectedPath(file, format)))
        : undefined;
    const progress = new ProgressReport(() => input.size && input.stream.bytesRead / input.size);
    let skipped = 0;

    async function onInvalid(row: InvalidRow): Promise<void> {
      skipped++;
      progress.note(`line ${row.line}: ${row.problems.join('; ')}`);
      await rejected?.add(row);
    }

    /** The rejected rows are on the disk before the others are committed. */
    async function* valid(): AsyncGenerator<readonly (NewPet | Pet)[]> {
      const schema: Fields<NewPet | Pet> = keepIds ? KeptPet : NewPet;
      const rows = readRows(input.stream, format, schema);
      for await (const values of validValues(rows, { onInvalid, skipInvalid })) {
        progress.add(values.length);
        yield values;
      }
      await rejected?.close();
    }

    try {
      if (dryRun) {
        let checked = 0;
        for await (const values of valid()) checked += values.length;
        progress.clear();
        print(`${count(checked, 'row')} can be imported. Nothing was changed.`);
        return;
      }
      const onCommit = () => progress.step('Adding the animals to the store …');
      const imported = await importPets(config.database, valid(), { keepIds, create, onCommit });
      await rejected?.publish();
      progress.clear();
      print(`Imported ${count(imported, 'animal')} in ${seconds(progress.elapsedMs)}.`);
      if (skipped > 0)
        print(`${count(skipped, 'row')} skipped: fix them in ${rejected?.path}, then import that file.`);
      await hintAboutKeys(config);
    } catch (error) {
      progress.clear();
      await rejected?.remove();
      throw error;
    }
  },
};

interface Input {
  readonly stream: ReadStream | (NodeJS.ReadStream & { bytesRead: number });
  /** In bytes; undefined for anything but a file. */
  readonly size?: number | undefined;
}

function optionsOf(file: string, flags: Flags) {
  if (flags.rejected !== undefined && flags['skip-invalid'] !== true)
    throw new UsageError('--rejected needs --skip-invalid');
  return {
    format: formatFor(file, flags.format),
    input: openInput(file),
    keepIds: flags['keep-ids'] === true,
    dryRun: flags['dry-run'] === true,
  };
}

function openInput(file: string): Input {
  if (file === '-') {
    if (fstatSync(0).isDirectory()) throw new UsageError('standard input is a folder: give a file');
    return { stream: process.stdin as NodeJS.ReadStream & { bytesRead: number } };
  }
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`there is no file ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder: name a file`);
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  // The reader reports the error; without a listener one that comes before it reads would end the process.
  stream.on('error', () => {});
  return { stream, size: stats.isFile() ? stats.size : undefined };
}
