import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ANIMALS,
  ORDERS,
  parseRoute,
  REMOVED,
  type Route,
  routeHref,
} from '../../src/web/browser/console/route.ts';

test('an address leads back to what it was made from', () => {
  const id = fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { nil: undefined });
  const text = fc.constantFrom('', 'Lee', '#12', 'Björn & Co', 'a+b=c?');
  const routes = fc.oneof(
    fc.record({
      view: fc.constant('animals'),
      status: fc.constantFrom('sold', undefined),
      category: id,
      text,
      animal: id,
    }),
    fc.record({ view: fc.constant('removed'), text, animal: id }),
    fc.record({
      view: fc.constant('orders'),
      period: fc.constantFrom('today', 'week', { from: '2026-11-03', to: '2026-11-09' }),
      text,
      of: id,
      status: fc.constantFrom('cancelled', undefined),
      animal: id,
    }),
    fc.record({
      view: fc.constant('activity'),
      kind: fc.constantFrom('sales', undefined),
      keyId: fc.constantFrom('12', 'env-1', undefined),
      day: fc.constantFrom('2026-11-03', undefined),
      animal: id,
    }),
    fc.record({ view: fc.constantFrom('categories', 'keys', 'more'), animal: id }),
  );
  fc.assert(
    fc.property(routes, (route) => assert.deepEqual(parseRoute(routeHref(route as Route)), { ...route })),
  );
});

test('what makes no sense in an address is left out', () => {
  assert.deepEqual(parseRoute(''), { ...ANIMALS, status: undefined, category: undefined, animal: undefined });
  const of = (fragment: string) => JSON.stringify(parseRoute(fragment), (_, value) => `${value}`);
  const plain = of('#/animals');
  for (const query of ['category=9999999999999999999', 'category=1e3', 'status=lost', 'animal=x', 'name=%00'])
    assert.equal(of(`#/animals?${query}`), plain, query);
  assert.equal(of('#/orders?sold=2026-13-40'), of('#/orders'));
  assert.equal(parseRoute('#/orders').view, ORDERS.view);
  assert.equal(parseRoute('#/removed').view, REMOVED.view);
});
