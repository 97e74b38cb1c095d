import { UsageError } from '../config.ts';
import { PetStatus } from '../contract/pet.ts';
import { fileHeader, petRows } from '../data/write.ts';
import { isPartOfDatabase } from '../store/database-files.ts';
import { exportPets } from '../store/export-pets.ts';
import type { Command } from './command.ts';
import { count } from './data-messages.ts';
import { assertDatabase } from './database.ts';
import { formatFor } from './format-flag.ts';
import { writeTo } from './output-file.ts';
import { ProgressReport } from './progress.ts';

export const exportCommand: Command = {
  summary: 'Write the animals to an NDJSON or CSV file, or to standard output.',
  details:
    'All animals are those of one moment, oldest first. The service may run meanwhile. See docs/data.md.',
  positionals: ['[FILE]'],
  settings: ['database'],
  flags: {
    status: { type: 'string', meaning: `only animals with this status: ${PetStatus.options.join(', ')}` },
    format: {
      type: 'string',
      meaning: 'ndjson or csv; default: by the extension of the file, ndjson for standard output',
    },
  },
  async run({ config, flags, positionals: [file = '-'] }) {
    const format = formatFor(file, flags.format ?? (file === '-' ? 'ndjson' : undefined));
    const status = statusOf(flags.status);
    assertDatabase(config);
    if (file !== '-' && isPartOfDatabase(config.database, file))
      throw new UsageError(`${file} is the database itself: name another file for the export`);
    const progress = new ProgressReport();
    let exported = 0;
    await writeTo(file, async (write) => {
      await write(fileHeader(format));
      await exportPets(config.database, { status }, async (pets) => {
        await write(petRows(pets, format));
        exported += pets.length;
        if (file !== '-') progress.add(pets.length);
      });
    }).finally(() => progress.clear());
    if (file !== '-') progress.note(`Exported ${count(exported, 'animal')} to ${file}.`);
  },
};

function statusOf(given: string | boolean | undefined): PetStatus | undefined {
  const status = PetStatus.options.find((one) => one === given);
  if (given !== undefined && status === undefined)
    throw new UsageError(`--status must be one of ${PetStatus.options.join(', ')}, not "${given}"`);
  return status;
}
