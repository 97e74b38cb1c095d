import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byName } from '../../src/web/browser/console/parts/natural-order.ts';

it('Names are in natural order, whatever their case and accents, and equal ones by id', () => {
  const wanted = [
    { id: 9n, name: 'Ábel 2' },
    { id: 8n, name: 'abel 10' },
    { id: 7n, name: 'Kitten' },
    { id: -1n, name: 'Kitten 1' },
    { id: 2n, name: 'Kitten 2' },
    { id: 10n, name: 'kitten 2' },
    { id: 9_007_199_254_740_992n, name: 'Kitten 2' },
    { id: 9_007_199_254_740_993n, name: 'Kitten 2' },
    { id: 1n, name: 'Kitten 10' },
    { id: 5n, name: 'Zoë' },
  ];
  assert.deepEqual(wanted.toReversed().sort(byName), wanted);
  const [first] = wanted;
  assert.ok(first && byName(first, first) === 0);
});
