import { UsageError } from '../config.ts';
import { type Command, jsonFlag } from './command.ts';
import { withStore } from './database.ts';
import { print } from './io.ts';
import { NEVER, nameFlag, readExpiry, readKeyName, readScopes, scopesFlag } from './key-flags.ts';
import { changeKey, printAccess, shown } from './key-output.ts';

export const updateKey: Command = {
  summary: 'Change the name, the scopes or the expiry of an API key.',
  details:
    'What is not given stays as it is. Every running service acts on the change within a second. A key that is revoked or has expired cannot be changed.',
  positionals: ['ID'],
  settings: ['database'],
  flags: {
    name: nameFlag,
    scopes: { ...scopesFlag, meaning: `${scopesFlag.meaning}. * is full access` },
    expires: {
      type: 'string',
      meaning: `how long the key is valid from now on, for example 90d, 12h or 30m; ${NEVER}: until it is revoked`,
    },
    json: jsonFlag,
  },
  async run({ config, flags, io, positionals: [id = ''] }) {
    const changes = {
      name: readKeyName(flags.name),
      scopes: readScopes(flags.scopes),
      expiresAt: readExpiry(flags.expires),
    };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError('nothing to change: give --name, --scopes or --expires');
    const key = await changeKey(
      id,
      withStore({ config }, (store) => store.updateKey(id, changes)),
    );
    if (flags.json) return print(io, JSON.stringify(shown(key)));
    print(io, `Changed key ${key.id} (${key.name}).`);
    printAccess(io, key);
  },
};
