import type { Key, KeyUpdate, NewKey } from '../../../../../client/index.ts';
import type { Shop } from '../shop.ts';

export async function createKey(shop: Shop, wanted: NewKey): Promise<void> {
  const { key, ...created } = await shop.api.write((client, options) => client.createKey(wanted, options));
  shop.secret.value = { id: created.id, name: created.name, key };
  shop.cache.keys.change(created);
  shop.keyList.prepend([created]);
}

/** Replaces a key. The old one works for a day longer, so that nobody is locked out. Returns the new one. */
export async function rotateKey(shop: Shop, id: string): Promise<string> {
  const { key, replaces, ...created } = await shop.api.write((client, options) =>
    client.rotateKey(id, {}, options),
  );
  shop.secret.value = { id: created.id, name: created.name, key };
  shop.cache.keys.change(replaces);
  shop.cache.keys.change(created);
  shop.keyList.prepend([created]);
  return key;
}

/** Gives a key another name, or allows it less. The page offers only what the key of this session allows from then on. */
export async function updateKey(shop: Shop, id: string, update: KeyUpdate): Promise<void> {
  const changed = await shop.api.write((client, options) => client.updateKey(id, update, options));
  shop.cache.keys.change(changed);
  if (id === shop.api.key.id) shop.api.use({ client: shop.api.client, key: changed });
}

export async function revokeKey(shop: Shop, key: Key): Promise<void> {
  await shop.api.write((client, options) => client.revokeKey(key.id, options));
  const revokedAt = new Date().toISOString();
  shop.cache.keys.change({ ...key, revokedAt, revokedBy: shop.api.key.id });
}
