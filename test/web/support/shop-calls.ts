import assert from 'node:assert/strict';
import type { Order } from '../../../src/client/index.ts';
import type { Offer } from '../../../src/web/browser/console/data/act.ts';
import type { Animal } from '../../../src/web/browser/console/data/cache.ts';
import { boundsOf } from '../../../src/web/browser/console/data/calendar.ts';
import type { Screen, Shop } from '../../../src/web/browser/console/data/shop.ts';
import type { AnimalQuery } from '../../../src/web/browser/console/data/sources.ts';
import type { Owner } from '../../support/service/owner.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop } from './shop.ts';

/* Changes that others make, over HTTP. */
export const add = (service: Service, name: string, categoryId = 1) =>
  service.call('POST', '/v1/pets', { body: { name, categoryId } });
export const addMany = (service: Service, count: number, name = 'Animal') => {
  const pets = Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}`, categoryId: 1 }));
  return service.call('POST', '/v1/pets/batch', { body: { pets } });
};
export const order = (service: Service, petId: number, note?: string) =>
  service.call('POST', '/v1/store/orders', { body: { petId, note } });
export const close = (service: Service, id: number, status: string) =>
  service.call('PATCH', `/v1/store/orders/${id}`, { body: { status } });
export const setPet = (service: Service, id: number, body: object) =>
  service.call('PATCH', `/v1/pets/${id}`, { body });
export const nameCategory = (service: Service, id: number, name: string) =>
  service.call('PUT', `/v1/categories/${id}`, { body: { name } });

/* What a person looks at. */
export const animalsWhere = (query: AnimalQuery): Screen => ({ of: 'animals', query });
export const ALL = animalsWhere({});
export const today = (): Screen => ({ of: 'orders', sold: boundsOf('today') });

/** A service with these animals, after `prepare`, and a shop that shows them. */
export async function openShopWith(
  t: Owner,
  names: readonly string[],
  prepare?: (service: Service) => Promise<unknown>,
  options: Parameters<typeof openShop>[2] = { screen: ALL },
) {
  const service = await startService(t);
  for (const name of names) await add(service, name);
  await prepare?.(service);
  return { service, ...(await openShop(t, service, options)) };
}

/** An animal as a shop knows it. */
export function animal(shop: Shop, id: bigint): Animal {
  return shop.cache.animals.peek(id) ?? assert.fail(`animal ${id} is not known`);
}

/** The only order of an animal that is known. */
export function orderOf(shop: Shop, petId: bigint): Order {
  const [found, ...others] = shop.cache.ordersOf(petId);
  assert.deepEqual(others, []);
  return found ?? assert.fail(`no order of ${petId} is known`);
}

/** Without the marks that isolate names of another direction. */
export const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');

/** What the messages say, the newest last. */
export const said = (shop: Shop): readonly string[] =>
  shop.messages.all.peek().map(({ text }) => plain(text));

/** What the newest message offers. */
export function offered(shop: Shop, label: Offer['label']): Offer {
  const offer = shop.messages.all.peek().at(-1)?.offer;
  assert.equal(offer?.label, label, `${said(shop).at(-1)}`);
  return offer ?? assert.fail();
}
