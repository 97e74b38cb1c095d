import { UsageError } from '../config.ts';
import { petOperations } from '../contract/operations/pets.ts';
import { PetStatus } from '../contract/pet.ts';
import { validate } from '../contract/validate.ts';
import { columnsWithCategory, fileHeader, petColumns, petRows } from '../data/write.ts';
import { isPartOfDatabase, statIfExists } from '../store/database-files.ts';
import { exportPets } from '../store/tools/import-export.ts';
import { type Command, formatFor } from './command.ts';
import { assertDatabase } from './database.ts';
import { count } from './io.ts';
import { writeTo } from './output-file.ts';
import { ProgressReport } from './progress.ts';

export const exportCommand: Command = {
  summary: 'Write the animals to an NDJSON or CSV file, or to standard output.',
  details:
    'All animals are those of one moment, oldest first. The service may run meanwhile. See docs/data.md.',
  positionals: ['[FILE]'],
  settings: ['database'],
  flags: {
    overwrite: { type: 'boolean', meaning: 'replace FILE if it exists' },
    status: { type: 'string', meaning: `only animals with this status: ${PetStatus.options.join(', ')}` },
    name: {
      type: 'string',
      meaning: 'only animals whose name contains every word of this text, ignoring case and accents',
    },
    'with-category': { type: 'boolean', meaning: 'add the names of the categories, as category' },
    format: {
      type: 'string',
      meaning: 'ndjson or csv; default: by the extension of the file, ndjson for standard output',
    },
  },
  async run({ config, flags, io, positionals: [file = '-'] }) {
    const format = formatFor(file, flags.format ?? (file === '-' ? 'ndjson' : undefined));
    const columns = flags['with-category'] === true ? columnsWithCategory : petColumns;
    const filters = { status: flags.status, name: flags.name };
    const { value, problems } = validate(petOperations.listPets.query, filters);
    if (!value) throw new UsageError(problems.map((problem) => `--${problem}`).join('; '));
    assertDatabase(config);
    if (file !== '-' && isPartOfDatabase(config.database, file))
      throw new UsageError(`${file} is the database itself: name another file for the export`);
    const existing = file === '-' ? undefined : statIfExists(file);
    if (flags.overwrite !== true && (existing?.isFile() || existing?.isSymbolicLink()))
      throw new UsageError(`${file} exists: name another file, or add --overwrite to replace it`);
    const progress = new ProgressReport(io);
    let exported = 0;
    await writeTo(io, file, flags.overwrite === true, async (write) => {
      await write(fileHeader(format, columns));
      await exportPets(config.database, { status: value.status, name: value.name }, async (pets) => {
        await write(petRows(pets, format, columns));
        exported += pets.length;
        if (file !== '-') progress.add(pets.length);
      });
    }).finally(() => progress.clear());
    if (file !== '-') progress.note(`Exported ${count(exported, 'animal')} to ${file}.`);
  },
};
