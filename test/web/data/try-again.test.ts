import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCategory, renameCategory } from '../../../src/web/browser/console/data/actions/categories.ts';
import { move } from '../../../src/web/browser/console/data/actions/corrections.ts';
import { setNote } from '../../../src/web/browser/console/data/actions/notes.ts';
import type { Place } from '../../../src/web/browser/console/data/actions/outcomes.ts';
import { remove, restore } from '../../../src/web/browser/console/data/actions/removal.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { animal, openShopWith, order } from '../support/shop-calls.ts';

type Run = (shop: Shop) => Promise<boolean>;
const dogs = ({ cache }: Shop) => cache.categories.peek(7n) ?? assert.fail('Dogs is known');
const reservation = ({ cache }: Shop) => cache.orders.peek(1n) ?? assert.fail('the order is known');

/** What is done apart from selling, where it is shown, and its request: a method and the beginning of a body. */
const ACTIONS: readonly [name: string, Run, Place, change: string][] = [
  ['moving', (shop) => move(shop, animal(shop, 1n), 7n), 'animal-1', 'PATCH {"categoryId'],
  ['removing', (shop) => remove(shop, animal(shop, 1n), 'died'), 'animal-1', 'DELETE'],
  ['restoring', (shop) => restore(shop, animal(shop, 3n)), 'animal-3', 'POST'],
  ['noting', (shop) => setNote(shop, reservation(shop), 'for Ms Lee'), 'animal-2', 'PATCH {"note'],
  ['renaming a category', (shop) => renameCategory(shop, 7n, 'Hounds'), 'category-7', 'PUT'],
  ['removing a category', (shop) => removeCategory(shop, dogs(shop)), 'category-7', 'DELETE'],
];

for (const [name, run, place, change] of ACTIONS)
  test(`${name}: trying again after a lost answer does it once, and Undo undoes it once`, async (t) => {
    const { shop, network } = await openShopWith(t, ['Rex', 'Luna', 'Max'], async (service) => {
      await order(service, 2);
      await service.call('DELETE', '/v1/pets/3');
      await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
    });
    await shop.animals.lookUp([3n]);
    const events = async () => (await shop.api.client.listEvents()).items.length;
    const happened = await events();
    const accept = async (label: string) => {
      const offer = shop.outcomes.at(place)?.offer;
      assert.equal(offer?.label, label);
      assert.equal(await offer?.run(), true);
    };
    network.fail((line) =>
      `${line.split(' ')[0]} ${network.bodies.at(-1)}`.startsWith(change) ? 'unanswered' : undefined,
    );
    assert.equal(await run(shop), false);
    assert.equal(await events(), happened + 1);
    network.heal();
    await accept('Try again');
    assert.equal(await events(), happened + 1);
    await accept('Undo');
    assert.equal(await events(), happened + 2);
    assert.equal(shop.outcomes.at(place)?.offer, undefined, 'no second Undo');
  });
