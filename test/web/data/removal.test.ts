import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remove } from '../../../src/web/browser/console/data/actions/removal.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';
import { acceptOffer, add, animal } from '../support/shop-calls.ts';

test('removing again after an answer was lost is done, and not an error', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  const { shop, network } = await openShop(t, service, { view: ANIMALS });
  network.fail((line) => (line.startsWith('DELETE') ? 'unanswered' : undefined));
  await remove(shop, animal(shop, 1n), 'died');
  network.heal();
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(shop.outcomes.at('animal-1')?.kind, 'done');
  assert.equal(animal(shop, 1n).removed?.reason, 'died');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).removed, undefined);
});
