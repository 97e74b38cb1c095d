import { createReadStream, fstatSync, type ReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Flags, UsageError } from '../config.ts';
import { AddedPet, ChangedPet, KeptPet } from '../data/imported-pet.ts';
import { readRows } from '../data/read.ts';
import { DataError, type Format, isValid, type RowFields } from '../data/rows.ts';
import { existingFile } from '../store/database-files.ts';
import { printable } from '../store/database-url.ts';
import { importPets, NO_STORE } from '../store/tools/import-export.ts';
import { isNewStore } from '../store/tools/inspect.ts';
import { type ImportedPet, type ImportResult, RowsRefused } from '../store/tools/pet-transfer.ts';
import { type Command, formatFor } from './command.ts';
import { advised, assertDatabase, createFlag, hintAboutKeys } from './database.ts';
import { count, type Io, print, seconds } from './io.ts';
import { ProgressReport } from './progress.ts';
import { RejectedRows, rejectedPath } from './rejected-rows.ts';

/** About 1,000 rows: enough for one statement, and little memory. */
const CHUNK_BYTES = 64 * 1024;

export const importCommand: Command = {
  summary: 'Add or change the animals of an NDJSON or CSV file, all of them or none.',
  details:
    'FILE may be - for standard input. The service may run meanwhile. Every invalid row is reported with its line.\n' +
    'CSV begins with a row of column names: name, categoryId or category and, if given, status. See docs/data.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: {
    format: { type: 'string', meaning: 'ndjson or csv; default: by the extension of the file' },
    'keep-ids': { type: 'boolean', meaning: 'keep the ids of the rows; only in a store without animals' },
    update: { type: 'boolean', meaning: 'change the animals of rows with an id; add the other rows' },
    'skip-invalid': { type: 'boolean', meaning: 'import the valid rows, and write the others to a file' },
    rejected: { type: 'string', meaning: 'that file; default: FILE with .rejected before its extension' },
    'dry-run': {
      type: 'boolean',
      meaning: 'only check the rows, also against the store, and change nothing',
    },
    create: createFlag,
  },
  async run(invocation) {
    const { config, flags, io, positionals } = invocation;
    const [file = ''] = positionals;
    const { input, format, keepIds, update, create, skipInvalid, dryRun } = optionsOf(file, flags, io);
    if (!dryRun) assertDatabase(config, create);
    const isNew = dryRun && (await isNewStore(config.database));
    const rejected =
      skipInvalid && !dryRun
        ? new RejectedRows(String(flags.rejected ?? rejectedPath(file, format)))
        : undefined;
    const progress = new ProgressReport(io, () => input.size && input.stream.bytesRead / input.size);
    const ignored = new Set<string>();
    let valid = 0;
    let invalid = 0;

    /** The valid rows. The others are reported, and on the disk before these are committed. */
    async function* batches(): AsyncGenerator<readonly ImportedPet[]> {
      const schema: RowFields<ImportedPet> = update ? ChangedPet : keepIds ? KeptPet : AddedPet;
      const onIgnored = (name: string) => {
        if (ignored.size <= IGNORED_LISTED && name.trim() !== '') ignored.add(name.slice(0, NAME_LENGTH));
      };
      for await (const rows of readRows(input.stream, format, { ...schema, onIgnored })) {
        const pets: ImportedPet[] = [];
        for (const row of rows) {
          if (isValid(row)) {
            pets.push({ ...row.value, line: row.line });
            continue;
          }
          invalid++;
          progress.note(`line ${row.line}: ${row.problems.join('; ')}`);
          await rejected?.add(row);
        }
        valid += pets.length;
        progress.add(pets.length);
        if (pets.length > 0) yield pets;
      }
      await rejected?.close();
    }

    /** Rows are checked against the store even if others are invalid, so that one run finds every problem. */
    function isCheck(): boolean {
      if (ignored.size > 0) progress.note(ignoredLine(format, [...ignored]));
      const only = dryRun || (invalid > 0 && !skipInvalid);
      progress.step(only ? 'Checking the rows against the store …' : 'Adding the animals to the store …');
      return only;
    }

    try {
      // An update of a store that does not exist yet is checked for what holds in any store.
      const options = isNew && update ? { keepIds: true } : { keepIds, update };
      const database = isNew ? NO_STORE : config.database;
      const result = await importPets(database, batches(), { ...options, create, isCheck });
      if (invalid > 0 && !skipInvalid)
        throw new DataError(`${invalidRows(invalid)}${NOTHING}, or add --skip-invalid to import the rest.`);
      await rejected?.publish();
      progress.clear();
      if (dryRun) {
        const found = isNew
          ? `Valid: ${count(valid, 'row')}. There is no store in ${printable(config.database)} yet: only the rows were checked.`
          : `Valid, and without conflicts with the store: ${count(valid, 'row')}.`;
        print(io, `${found} Nothing was changed.`);
        for (const { name } of result.categories) print(io, `Would create category: ${name}`);
        return;
      }
      print(io, `${summaryOf(result, update)} in ${seconds(progress.elapsedMs)}.`);
      for (const { id, name } of result.categories) print(io, `Created category ${id}: ${name}`);
      if (rejected && invalid > 0) {
        // Ids can be kept only in a store without animals.
        const getNewIds = keepIds && result.added > 0;
        const how = update ? ['--update'] : keepIds && !getNewIds ? ['--keep-ids'] : [];
        const command = advised(invocation, 'import', resolve(rejected.path), `--format=${format}`, ...how);
        const then = `then import it${getNewIds ? ', with new ids' : ''}: ${command}`;
        print(io, `${count(invalid, 'row')} skipped: correct ${rejected.path}, ${then}`);
      }
      await hintAboutKeys(invocation);
    } catch (error) {
      progress.clear();
      await rejected?.remove();
      if (!(error instanceof RowsRefused)) throw error;
      for (const { line, problem } of error.rows) progress.note(`line ${line}: ${problem}`);
      const others = invalid > 0 && !skipInvalid ? `${invalidRows(invalid)}, and ` : '';
      throw new DataError(`${others}${error.message}${NOTHING}.`, { cause: error });
    }
  },
};

const NOTHING = ', so nothing was imported. Fix the file and import it again';
const invalidRows = (rows: number): string => `${count(rows, 'row is', 'rows are')} invalid`;

/** More are not listed, and long names are cut. */
const IGNORED_LISTED = 10;
const NAME_LENGTH = 40;

function ignoredLine(format: Format, names: readonly string[]): string {
  const more = names.length > IGNORED_LISTED ? ' and others' : '';
  return `Ignored ${format === 'csv' ? 'columns' : 'fields'}: ${names.slice(0, IGNORED_LISTED).join(', ')}${more}`;
}

const summaryOf = ({ added, changed }: ImportResult, update: boolean): string =>
  update
    ? `Changed ${count(changed, 'animal')} and added ${count(added, 'animal')}`
    : `Imported ${count(added, 'animal')}`;

interface Input {
  readonly stream: ReadStream | (NodeJS.ReadStream & { bytesRead: number });
  /** In bytes; undefined for anything but a file. */
  readonly size?: number | undefined;
}

function optionsOf(file: string, flags: Flags, io: Io) {
  if (flags.rejected !== undefined && flags['skip-invalid'] !== true)
    throw new UsageError('--rejected needs --skip-invalid');
  if (flags.update === true && flags['keep-ids'] === true)
    throw new UsageError('--update changes animals by their ids, --keep-ids adds them: use one of the two');
  return {
    format: formatFor(file, flags.format),
    input: openInput(file, io),
    keepIds: flags['keep-ids'] === true,
    update: flags.update === true,
    create: flags.create === true,
    skipInvalid: flags['skip-invalid'] === true,
    dryRun: flags['dry-run'] === true,
  };
}

function openInput(file: string, io: Io): Input {
  if (file === '-') {
    if (fstatSync(0).isDirectory()) throw new UsageError('standard input is a folder: give a file');
    return { stream: io.stdin as NodeJS.ReadStream & { bytesRead: number } };
  }
  const stats = existingFile(file);
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  // The reader reports errors. Without a listener, an error that occurs before it reads would end the process.
  stream.on('error', () => {});
  return { stream, size: stats.isFile() ? stats.size : undefined };
}
