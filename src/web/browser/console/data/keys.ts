import { effect, signal } from '@preact/signals';
import type { Key, KeyQuery, NewKey } from '../../../../client/index.ts';
import { read } from './find.ts';
import { List } from './list.ts';
import { session, signedIn, takeOver } from './session.ts';

/** The keys, newest first. One that another person makes, rotates or revokes meanwhile shows at the next refresh. */
export const keys = new List<Key, KeyQuery>(
  {},
  {
    page: (query) => read(({ reads, signal }) => reads.listKeys(query, { signal })),
    // A key cannot be asked for by its id: those beyond the first hundred are as they were loaded.
    lookUp: () => Promise.resolve([]),
    lookUps: 1,
    mayChange: () => false,
  },
);

interface Secret {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

/** A key that was just made: it is shown until the person has it, and nowhere else. */
export const secret = signal<Secret | undefined>(undefined);

effect(() => {
  if (!session.value) secret.value = undefined;
});

export async function createKey(wanted: NewKey): Promise<void> {
  const { writes, signal } = signedIn();
  const { key, ...created } = await writes.createKey(wanted, { signal });
  secret.value = { id: created.id, name: created.name, key };
  keys.prepend(created);
}

/** Replaces a key. The old one works for a day longer, so that nobody is locked out; this session goes on with the new one. */
export async function rotateKey(id: string): Promise<void> {
  const { writes, signal, key: ours } = signedIn();
  const { key, replaces, ...created } = await writes.rotateKey(id, {}, { signal });
  secret.value = { id: created.id, name: created.name, key };
  keys.update(replaces);
  keys.prepend(created);
  if (id === ours.id) await takeOver(key);
}

export async function revokeKey(key: Key): Promise<void> {
  const { writes, signal, key: ours } = signedIn();
  await writes.revokeKey(key.id, { signal });
  keys.update({ ...key, revokedAt: new Date().toISOString(), revokedBy: ours.id });
}
