import { duration } from '../config-values.ts';
import { DEFAULT_OVERLAP } from '../contract/key.ts';
import { replaceKey } from '../keys/issue.ts';
import { printable } from '../store/database-url.ts';
import { type Command, flagValue, jsonFlag } from './command.ts';
import { withStore } from './database.ts';
import { date, print } from './io.ts';
import { changeKey, printNewKey, shown } from './key-output.ts';

export const rotateKey: Command = {
  summary: 'Create a key that replaces another one, which expires after an overlap.',
  details:
    'The new key has the same name, scopes and lifetime: the time from the creation of the old one to its expiry as it is now.\n' +
    'To end a key at once, use animal-store keys revoke.',
  positionals: ['ID'],
  settings: ['database'],
  flags: {
    overlap: {
      type: 'string',
      meaning: `how long the old key still works, for example 7d; default: ${DEFAULT_OVERLAP}. A key that expires earlier is not extended`,
    },
    expires: {
      type: 'string',
      meaning: 'how long the new key is valid; default: the lifetime of the old one',
    },
    json: jsonFlag,
  },
  async run({ config, flags, io, positionals: [id = ''] }) {
    const overlapMs = flagValue('overlap', flags.overlap ?? DEFAULT_OVERLAP, duration);
    const lifetimeMs =
      flags.expires === undefined ? undefined : flagValue('expires', flags.expires, duration);
    const { key, created, replaced } = await changeKey(
      id,
      withStore({ config }, (store) => replaceKey(store, id, { lifetimeMs, overlapMs })),
    );
    const database = printable(config.database);
    if (flags.json)
      return print(io, JSON.stringify({ ...shown(created), key, database, replaces: shown(replaced) }));
    printNewKey(io, key, created, database);
    print(io, `Key ${replaced.id}, which it replaces, works until ${date(replaced.expiresAt)}.`);
  },
};
