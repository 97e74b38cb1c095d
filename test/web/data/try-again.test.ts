import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCategory, renameCategory } from '../../../src/web/browser/console/data/actions/categories.ts';
import { makeAvailable, move } from '../../../src/web/browser/console/data/actions/corrections.ts';
import { setNote } from '../../../src/web/browser/console/data/actions/notes.ts';
import type { Place } from '../../../src/web/browser/console/data/actions/outcomes.ts';
import { remove, restore } from '../../../src/web/browser/console/data/actions/removal.ts';
import { cancel, reserve, returnSale, sell } from '../../../src/web/browser/console/data/actions/selling.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { Stream } from '../support/shop.ts';
import { acceptOffer, animal, close, openShopWith, order } from '../support/shop-calls.ts';

type Run = (shop: Shop) => Promise<boolean>;
const dogs = ({ cache }: Shop) => cache.categories.peek(7n) ?? assert.fail('Dogs is known');
const orderIn = ({ cache }: Shop, id: bigint) => cache.orders.peek(id) ?? assert.fail(`order ${id} is known`);

/** Rex is available, Luna reserved, Max sold by an order and Ida without one, Otis removed; Dogs has no animals. */
const ACTIONS: readonly [name: string, Run, Place][] = [
  ['reserving', (shop) => reserve(shop, animal(shop, 1n)), 'animal-1'],
  ['selling', (shop) => sell(shop, animal(shop, 1n)), 'animal-1'],
  ['selling what is reserved', (shop) => sell(shop, animal(shop, 2n)), 'animal-2'],
  ['cancelling', (shop) => cancel(shop, orderIn(shop, 1n)), 'animal-2'],
  ['taking back', (shop) => returnSale(shop, orderIn(shop, 2n)), 'animal-3'],
  ['noting', (shop) => setNote(shop, orderIn(shop, 1n), 'for Ms Lee'), 'animal-2'],
  ['making available', (shop) => makeAvailable(shop, animal(shop, 4n)), 'animal-4'],
  ['moving', (shop) => move(shop, animal(shop, 1n), 7n), 'animal-1'],
  ['removing', (shop) => remove(shop, animal(shop, 1n), 'died'), 'animal-1'],
  ['restoring', (shop) => restore(shop, animal(shop, 5n)), 'animal-5'],
  ['renaming a category', (shop) => renameCategory(shop, 7n, 'Hounds'), 'category-7'],
  ['removing a category', (shop) => removeCategory(shop, dogs(shop)), 'category-7'],
];

for (const [name, run, place] of ACTIONS)
  for (const failure of ['lost', 'unanswered'] as const)
    test(`${name}, ${failure}: it is not known, and trying again does it once; and so does its Undo`, async (t) => {
      const { shop, network } = await openShopWith(
        t,
        ['Rex', 'Luna', 'Max', 'Ida', 'Otis'],
        async (service) => {
          for (const id of [2, 3]) await order(service, id);
          await close(service, 2, 'completed');
          await service.call('PATCH', '/v1/pets/4', { body: { status: 'sold' } });
          await service.call('DELETE', '/v1/pets/5');
          await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
        },
      );
      await shop.animals.lookUp([5n]);
      await shop.orders.load(2n);
      const events = async () => (await shop.api.client.listEvents()).items.length;
      const accept = (label: string) => {
        const { offer, text } = shop.outcomes.at(place) ?? {};
        assert.equal(offer?.label, label, `${text}`);
        return offer?.run();
      };
      // A change without a field is a read.
      const isChange = (line: string) => !line.startsWith('GET') && network.bodies.at(-1) !== '{}';
      for (const step of [() => run(shop), () => accept('Undo')]) {
        const happened = await events();
        network.fail((line) => (isChange(line) ? failure : undefined));
        assert.equal(await step(), false);
        assert.match(`${shop.outcomes.at(place)?.text}`, /Not known yet whether it was done/);
        network.heal();
        assert.equal(await accept('Try again'), true);
        assert.equal(await events(), happened + 1);
      }
      assert.equal(shop.outcomes.at(place)?.offer, undefined, 'what is undone offers no second Undo');
    });

test('trying again shows what has become of it since, not what the first attempt has answered', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex', 'Max'], async (one) => {
    await one.call('DELETE', '/v1/pets/1');
    await order(one, 2);
  });
  await shop.animals.lookUp([1n]);
  const stream = await Stream.open(shop);
  network.fail((line) => (line.startsWith('GET') ? undefined : 'unanswered'));
  await restore(shop, animal(shop, 1n));
  await setNote(shop, orderIn(shop, 1n), 'for Ms Lee');
  network.heal();
  await service.call('POST', '/v1/store/orders', { body: { petId: 1, status: 'completed' } });
  await close(service, 1, 'completed');
  await stream.deliverAll();
  for (const id of [1n, 2n]) await acceptOffer(shop, id, 'Try again');
  assert.deepEqual([animal(shop, 1n).status, orderIn(shop, 1n).status], ['sold', 'completed']);
});
