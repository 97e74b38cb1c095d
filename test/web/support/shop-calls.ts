import assert from 'node:assert/strict';
import type { Animal } from '../../../src/web/browser/console/data/cache/animal.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import type { Owner } from '../../support/service/owner.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop } from './shop.ts';

/** Changes that others make, over HTTP. */
export const add = (service: Service, name: string, categoryId = 1) =>
  service.call('POST', '/v1/pets', { body: { name, categoryId } });
export const order = (service: Service, petId: number, note?: string) =>
  service.call('POST', '/v1/store/orders', { body: { petId, note } });
export const close = (service: Service, id: number, status: string) =>
  service.call('PATCH', `/v1/store/orders/${id}`, { body: { status } });

/** A service with these animals, after `prepare`, and a shop that shows them. */
export async function openShopWith(
  t: Owner,
  names: readonly string[],
  prepare?: (service: Service) => Promise<unknown>,
) {
  const service = await startService(t);
  for (const name of names) await add(service, name);
  await prepare?.(service);
  return { service, ...(await openShop(t, service, { view: ANIMALS })) };
}

/** An animal as a shop knows it. */
export function animal(shop: Shop, id: bigint): Animal {
  const found = shop.cache.animals.peek(id);
  assert.ok(found, `animal ${id} is known`);
  return found;
}

/** What the page says about an animal after an action. */
export function outcomeText(shop: Shop, id: bigint): string {
  const text = shop.outcomes.at(`animal-${id}`)?.text;
  return typeof text === 'function' ? text() : (text ?? '');
}

/** What the page offers for an animal after an action. */
export async function acceptOffer(shop: Shop, id: bigint, label: 'Undo' | 'Try again'): Promise<void> {
  const offer = shop.outcomes.at(`animal-${id}`)?.offer;
  assert.equal(offer?.label, label);
  await offer?.run();
}

/** The present state of an animal in the service. */
export async function stored(service: Service, id: number): Promise<unknown> {
  const [pet] = (await service.call('GET', `/v1/pets?id=${id}`)).json as unknown[];
  return pet;
}
