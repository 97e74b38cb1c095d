import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remove } from '../../../src/web/browser/console/data/actions/removal.ts';
import { acceptOffer, animal, openShopWith } from '../support/shop-calls.ts';

test('removing again after an answer was lost is done, and not an error', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('DELETE') ? 'unanswered' : undefined));
  await remove(shop, animal(shop, 1n), 'died');
  network.heal();
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(shop.outcomes.at('animal-1')?.kind, 'done');
  assert.equal(animal(shop, 1n).removed?.reason, 'died');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).removed, undefined);
});
