import { effect, signal } from '@preact/signals';
import type { Key, NewKey } from '../../../../client/index.ts';
import { MOST, read } from './find.ts';
import { session, signedIn } from './session.ts';

/** The keys, newest first, as far as they were loaded. They change only by what the person does. */
export const keys = signal<readonly Key[] | undefined>(undefined);
export const nextKeys = signal<string | undefined>(undefined);
/** A key that was just made: it is shown until the person has it, and nowhere else. */
export const secret = signal<{ readonly name: string; readonly key: string } | undefined>(undefined);

effect(() => {
  if (session.value) return;
  keys.value = undefined;
  nextKeys.value = undefined;
  secret.value = undefined;
});

export async function loadKeys(): Promise<void> {
  const page = await read(({ reads, signal }) => reads.listKeys({ limit: MOST }, { signal }));
  keys.value = page.items;
  nextKeys.value = page.next;
}

export async function loadMoreKeys(): Promise<void> {
  const next = nextKeys.peek();
  if (next === undefined) return;
  const page = await read(({ reads, signal }) => reads.listKeys(next, { signal }));
  keys.value = [...(keys.peek() ?? []), ...page.items];
  nextKeys.value = page.next;
}

export async function createKey(wanted: NewKey): Promise<void> {
  const { writes, signal } = signedIn();
  const { key, ...created } = await writes.createKey(wanted, { signal });
  secret.value = { name: created.name, key };
  keys.value = [created, ...(keys.peek() ?? [])];
}

/** Replaces a key. The old one works for a day longer, so that nobody is locked out. */
export async function rotateKey(id: string): Promise<void> {
  const { writes, signal } = signedIn();
  const { key, replaces, ...created } = await writes.rotateKey(id, {}, { signal });
  secret.value = { name: created.name, key };
  keys.value = [created, ...(keys.peek() ?? []).map((one) => (one.id === id ? replaces : one))];
}

export async function revokeKey(id: string): Promise<void> {
  const { writes, signal } = signedIn();
  await writes.revokeKey(id, { signal });
  const revokedAt = new Date().toISOString();
  keys.value = (keys.peek() ?? []).map((one) => (one.id === id ? { ...one, revokedAt } : one));
}
