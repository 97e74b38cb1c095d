import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remove } from '../../../src/web/browser/console/data/actions/removal.ts';
import { acceptOffer, animal, openShopWith } from '../support/shop-calls.ts';

test('removing and restoring are one request each, and trying again does it once', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('DELETE') ? 'unanswered' : undefined));
  await remove(shop, animal(shop, 1n), 'died');
  network.heal();
  network.requests.length = 0;
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(shop.outcomes.at('animal-1')?.kind, 'done');
  assert.equal(animal(shop, 1n).removed?.reason, 'died');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).removed, undefined);
  const changes = network.requests.filter((line) => !line.startsWith('GET'));
  assert.deepEqual(changes, ['DELETE /v1/pets/1?reason=died', 'POST /v1/pets/1/restore']);
  assert.equal((await shop.api.client.listEvents({ type: ['pet.removed', 'pet.restored'] })).items.length, 2);
});
