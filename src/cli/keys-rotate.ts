import { digestOf, generateKey } from '../keys/format.ts';
import { replacementOf, stateOf } from '../keys/state.ts';
import { printable } from '../store/printable.ts';
import type { ApiKey } from '../store/store.ts';
import { type Command, print } from './command.ts';
import { date, durationFlag, jsonFlag, noSuchKey, printNewKey, shown, withStore } from './key-output.ts';

const OVERLAP = '24h';

export const rotateKey: Command = {
  summary: 'Create a key that replaces another one, which expires after an overlap.',
  details:
    'The new key has the same name, and is valid for as long as the old one was when it was created.\n' +
    'To end a key at once, use animal-store keys revoke.',
  positionals: ['ID'],
  settings: ['database'],
  flags: {
    overlap: {
      type: 'string',
      meaning: `how long the old key still works, for example 7d; default: ${OVERLAP}. A key that expires earlier is not extended`,
    },
    expires: {
      type: 'string',
      meaning: 'how long the new key is valid; default: as long as the old one was',
    },
    json: jsonFlag,
  },
  async run({ config, flags, positionals: [id = ''] }) {
    const now = Date.now();
    const replacedExpiresAt = new Date(now + durationFlag('overlap', flags.overlap ?? OVERLAP));
    const lifetime = flags.expires === undefined ? undefined : durationFlag('expires', flags.expires);
    const key = generateKey();
    const { created, replaced } = await withStore(config, async (store) => {
      const keys = await store.listKeys();
      const old = keys.find((one) => one.id === id);
      if (!old) throw noSuchKey(id);
      const replacement = stateOf(old) === 'active' ? replacementOf(old, keys) : undefined;
      // Its expiry is now that of the overlap, so that its lifetime is not known.
      if (replacement && lifetime === undefined)
        throw new Error(
          `key ${id} (${old.name}) was probably replaced: key ${replacement.id} has the same name and is valid for longer. Instead, rotate key ${replacement.id}, or give the new key a lifetime with --expires`,
        );
      const validMs = lifetime ?? lifetimeOf(old);
      const expiresAt = validMs === undefined ? undefined : new Date(now + validMs);
      const rotated = await store.rotateKey(id, { digest: digestOf(key), expiresAt, replacedExpiresAt });
      if (!rotated)
        throw new Error(
          `key ${id} (${old.name}) is ${stateOf(old)}: create a new one with animal-store keys create`,
        );
      return rotated;
    });
    const database = printable(config.database);
    if (flags.json)
      return print(JSON.stringify({ ...shown(created), key, database, replaces: shown(replaced) }));
    printNewKey(key, created, database);
    print(`Key ${replaced.id}, which it replaces, works until ${date(replaced.expiresAt)}.`);
  },
};

const lifetimeOf = ({ createdAt, expiresAt }: ApiKey): number | undefined =>
  expiresAt && expiresAt.getTime() - createdAt.getTime();
