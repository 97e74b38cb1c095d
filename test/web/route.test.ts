import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRoute, type Route, routeHref, screenOf, tabs } from '../../src/web/browser/console/route.ts';

test('an address leads back to what it was made from', () => {
  const id = fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { nil: undefined });
  const text = fc.constantFrom('', 'Lee', '#12', 'Björn & Co', 'a+b=c?');
  const routes = fc.oneof(
    fc
      .record({
        view: fc.constant('animals'),
        tab: fc.constantFrom(...tabs),
        category: id,
        text,
        withoutOrder: fc.constantFrom(true, undefined),
        animal: id,
      })
      .map((to) => ({
        ...to,
        // Removed animals are in no category, and only what is reserved can be without an order.
        category: to.tab === 'removed' ? undefined : to.category,
        withoutOrder: to.tab === 'pending' ? to.withoutOrder : undefined,
      })),
    fc.record({
      view: fc.constant('orders'),
      period: fc.constantFrom('today', 'week', { from: '2026-11-03', to: '2026-11-09' }),
      animal: id,
    }),
    fc.record({
      view: fc.constant('activity'),
      keyId: fc.constantFrom('12', 'env-1', undefined),
      day: fc.constantFrom('2026-11-03', undefined),
      animal: id,
    }),
    fc.record({ view: fc.constantFrom('categories', 'keys'), animal: id }),
  );
  fc.assert(
    fc.property(routes, (route) => assert.deepEqual(parseRoute(routeHref(route as Route)), { ...route })),
  );
});

test('what makes no sense in an address is left out', () => {
  const of = (fragment: string) => routeHref(parseRoute(fragment));
  const values = ['status=lost', 'animal=x', 'name=%00', 'order=none', 'status=available', 'category=1e3'];
  const queries = [...values, 'category=9999999999999999999'].map((query) => `#/animals?${query}`);
  for (const fragment of ['', '#/nowhere', ...queries]) assert.equal(of(fragment), '#/animals', fragment);
  assert.equal(of('#/animals?status=removed&category=3'), '#/animals?status=removed');
  for (const sold of ['2026-13-40', '2026-11-09..2026-11-03', 'yesterday'])
    assert.equal(of(`#/orders?sold=${sold}`), '#/orders');
  assert.equal(of('#/activity?by=%22&day=2026-02-30'), '#/activity');
});

test('an address says what has to be loaded', () => {
  const query = (fragment: string) => {
    const screen = screenOf(parseRoute(fragment));
    return JSON.parse(JSON.stringify(screen, (_, value) => (typeof value === 'bigint' ? `${value}` : value)));
  };
  assert.deepEqual(query('#/animals').query, { status: 'available' });
  assert.deepEqual(query('#/animals?status=all&name=jo&category=7').query, { text: 'jo', category: '7' });
  assert.deepEqual(query('#/animals?status=removed&name=jo').query, { removed: true, text: 'jo' });
  const withoutOrder = { status: 'pending', withoutOrder: true };
  assert.deepEqual(query('#/animals?status=pending&order=none').query, withoutOrder);
  const day = { from: new Date(2026, 10, 3), before: new Date(2026, 10, 4) };
  assert.deepEqual(screenOf(parseRoute('#/orders?sold=2026-11-03')), { of: 'orders', sold: day });
  const activity = { of: 'activity', query: { keyId: '12', happened: day } };
  assert.deepEqual(screenOf(parseRoute('#/activity?day=2026-11-03&by=12')), activity);
  assert.deepEqual(screenOf(parseRoute('#/keys')), { of: 'keys' });
});
