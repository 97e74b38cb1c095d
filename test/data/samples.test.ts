import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLine } from '../../src/cli/progress.ts';
import { NewPet } from '../../src/contract/pet.ts';
import { validate } from '../../src/contract/validate.ts';
import { sampleShop } from '../../src/data/sample-shop.ts';
import { samplePets } from '../../src/data/samples.ts';

describe('Sample animals', () => {
  it('are the same for the same seed, and others for another', () => {
    const first = [...samplePets(1000, 7)];
    assert.deepEqual([...samplePets(1000, 7)], first);
    assert.deepEqual([...samplePets(10, 7)], first.slice(0, 10));
    assert.notDeepEqual([...samplePets(1000, 8)], first);
    const now = new Date();
    assert.deepEqual(sampleShop(100, 7, now), sampleShop(100, 7, now));
    // A change of this line is a change that users see.
    assert.deepEqual([...samplePets(1, 1)], [{ name: 'Rex, Guppy', categoryId: 4n, status: 'sold' }]);
  });

  it('are valid, of every category and status', () => {
    const pets = [...samplePets(2000, 0)];
    for (const pet of pets) assert.deepEqual(validate(NewPet, pet), { value: pet, problems: [] });
    assert.equal(new Set(pets.map(({ status }) => status)).size, 3);
    assert.deepEqual([...new Set(pets.map(({ categoryId }) => categoryId))].sort(), [1n, 2n, 3n, 4n, 5n, 6n]);
    const available = pets.filter(({ status }) => status === 'available').length;
    assert.ok(available > 1200 && available < 1600, `${available} are available`);
  });
});

describe('progressLine', () => {
  it('tells rows, rate and time left, as far as they are known', () => {
    assert.equal(progressLine({ rows: 0, elapsedMs: 0 }), '0 rows');
    assert.equal(progressLine({ rows: 120_000, elapsedMs: 3_000 }), '120,000 rows, 40,000 per second');
    assert.equal(
      progressLine({ rows: 120_000, elapsedMs: 3_000, fraction: 0.25 }),
      '120,000 rows, 40,000 per second, 9 s left',
    );
    assert.equal(
      progressLine({ rows: 1_000, elapsedMs: 10_000, fraction: 0.1 }),
      '1,000 rows, 100 per second, 1 min 30 s left',
    );
    assert.equal(progressLine({ rows: 5, elapsedMs: 1_000, fraction: 1 }), '5 rows, 5 per second, 0 s left');
  });
});
