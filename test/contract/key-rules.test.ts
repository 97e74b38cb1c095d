import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode, ErrorDetails } from '../../src/contract/errors.ts';
import { KeyRotation, KeyUpdate, NewKey } from '../../src/contract/key.ts';
import { type Actor, createKey, revokeKey, rotateKey, updateKey } from '../../src/contract/rules/keys.ts';
import { operationScopes, type Scope } from '../../src/contract/scope.ts';
import { LATEST_TIME } from '../../src/contract/time.ts';
import { validate } from '../../src/contract/validate.ts';

const now = new Date('2026-11-17T12:00:00Z');
const owner = { keyId: '7', keyName: 'owner' };

interface Fields {
  readonly scopes?: readonly Scope[];
  readonly createdAt?: Date;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date;
  readonly replacedBy?: string;
}

const key = (fields: Fields = {}) => ({
  id: '1',
  name: 'till',
  scopes: ['*'] as readonly Scope[],
  createdAt: new Date(0),
  ...fields,
});

/** The command line, and a key of the configuration, may do everything. */
const anyone: Actor = { by: undefined, key: null, now };
const rotation = { digest: 'new', overlapMs: 1000 };

/** Every way to change a key with these scopes, or to give them to a key. */
const changes = (scopes: readonly Scope[], actor: Actor): readonly (() => unknown)[] => [
  () => createKey({ scopes }, actor),
  () => updateKey(key({ scopes }), { name: 'till 2' }, actor),
  () => updateKey(key({ scopes: [] }), { scopes }, actor),
  () => revokeKey(key({ scopes }), actor),
  () => rotateKey(key({ scopes }), rotation, actor),
];

/** Every change of a key that does not exist. */
const changesOfNone = (actor: Actor): readonly (() => unknown)[] => [
  () => updateKey(undefined, {}, actor),
  () => revokeKey(undefined, actor),
  () => rotateKey(undefined, rotation, actor),
];

const refuses = (change: () => unknown, code: ErrorCode, details: ErrorDetails = {}) =>
  assert.throws(change, { code, details });

/** What a key with these scopes may do: writing includes reading. */
const has = (granted: readonly Scope[], scope: Scope): boolean =>
  granted.includes('*') ||
  granted.includes(scope) ||
  granted.includes(scope.replace(':read', ':write') as Scope);

const anyScopes = fc.oneof(
  fc.constant(['*'] as const),
  fc.subarray([...operationScopes], { minLength: 1 }),
) satisfies fc.Arbitrary<readonly Scope[]>;

describe('A new key', () => {
  const till = { name: 'till 3', scopes: ['pets:read', 'store:write'] };

  it('has scopes in one order, and any printable name, byte for byte', () => {
    const names = [
      '<script>"; DROP TABLE api_keys; --',
      'Kasse 3 – été 🐕‍🦺',
      ' till ',
      '\\u0000',
      '🐕'.repeat(100),
    ];
    const scopes = till.scopes.toReversed();
    for (const name of names)
      for (const schema of [NewKey, KeyUpdate])
        assert.deepEqual(validate<unknown>(schema, { name, scopes }).value, { ...till, name });
  });

  it('has no other name, scopes or expiry, and neither has a changed one', () => {
    const unprintable = ['a\nb', '\u001b[2Jx', 'x\u202e', 'x\u200f', '\u2028x', '\ud800'];
    const invisible = ['', ' \u00a0 ', '\u200b\ufeff\u3164'];
    const repeated = ['pets:read', 'pets:read'];
    for (const [field, rule, values] of [
      ['name', 'must be 1 to 100 printable characters,', [...unprintable, ...invisible, 'x'.repeat(101)]],
      ['name', 'must be text', [3, null]],
      [
        'scopes',
        'must be * alone, or one or more of',
        [[], 'pets:read', ['Pets:Read'], repeated, ['*', 'pets:read']],
      ],
      ['expiresAt', 'must be a time with its offset,', ['2031-02-30T00:00:00Z', '2030-01-01']],
      ['expiresAt', 'must be in the future', ['2020-01-01T00:00:00Z']],
    ] as const)
      for (const value of values)
        for (const schema of [NewKey, KeyUpdate]) {
          const { problems } = validate<unknown>(schema, { ...till, [field]: value });
          assert.ok(problems.length === 1 && problems[0]?.startsWith(`${field} ${rule}`), problems.join());
        }
  });
});

describe('A change of a key', () => {
  it('by a key that is revoked, expired or unknown is refused, whatever it is', () => {
    const actors = { revoked: key({ revokedAt: now }), expired: key({ expiresAt: now }), unknown: undefined };
    for (const [refused, acting] of Object.entries(actors)) {
      const actor: Actor = { by: owner, key: acting, now };
      const refusal = { refused: refused as keyof typeof actors, ...(acting && { keyId: '1' }) };
      for (const change of [...changes(['pets:read'], actor), ...changesOfNone(actor)])
        refuses(change, 'unauthorized', { refusal });
    }
  });

  it('by another key needs all scopes of the changed one; writing includes reading', () => {
    fc.assert(
      fc.property(anyScopes, anyScopes, (granted, scopes) => {
        const missingScopes: readonly Scope[] = has(granted, 'keys:write')
          ? scopes.filter((scope) => !has(granted, scope))
          : ['keys:write'];
        for (const change of changes(scopes, { by: owner, key: key({ scopes: granted }), now }))
          if (missingScopes.length === 0) assert.doesNotThrow(change);
          else refuses(change, 'insufficient_scope', { missingScopes });
      }),
      { examples: [[[...operationScopes], ['*']]] },
    );
    for (const change of changes(['*'], anyone)) assert.doesNotThrow(change);
  });

  it('names its author, and needs a key that exists', () => {
    const actor: Actor = { by: owner, key: key(), now };
    assert.deepEqual(createKey({ scopes: ['*'] }, actor), { scopes: ['*'], createdAt: now, createdBy: '7' });
    const revoked = revokeKey(key(), actor);
    assert.deepEqual(revoked, { ...key(), revokedAt: now, revokedBy: '7' });
    assert.equal(revokeKey(revoked, { ...anyone, now: new Date() }), revoked, 'it stays as it is');
    const renamed = updateKey(key(), { name: 'till 2', expiresAt: null }, actor);
    assert.deepEqual(renamed, { ...key(), name: 'till 2', expiresAt: undefined, changedBy: '7' });
    assert.equal(updateKey(renamed, { name: 'till 2' }, anyone), renamed, 'it stays as it is');
    const { created, replaced } = rotateKey(key(), rotation, actor);
    assert.equal(created.createdBy, '7');
    assert.deepEqual(replaced('2'), {
      ...key(),
      expiresAt: new Date(now.getTime() + 1000),
      replacedBy: '2',
      rotatedBy: '7',
    });
    for (const change of changesOfNone(actor)) refuses(change, 'key_not_found');
  });

  it('brings none back to life, and replaces none twice', () => {
    const update = (fields: Fields) => () => updateKey(key(fields), { expiresAt: null }, anyone);
    const rotate = (fields: Fields) => () => rotateKey(key(fields), rotation, anyone);
    for (const [change, message] of [
      [update({ revokedAt: now }), 'The key is revoked: create a new one.'],
      [update({ expiresAt: now }), 'The key is expired: create a new one.'],
      [rotate({ revokedAt: now }), 'The key is revoked: create a new one.'],
      [rotate({ expiresAt: now }), 'The key is expired: create a new one.'],
      [rotate({ replacedBy: '2' }), 'The key was replaced by key 2: rotate that one.'],
      [rotate({ replacedBy: '2', expiresAt: now }), 'The key was replaced by key 2: rotate that one.'],
      [rotate({ replacedBy: '2', revokedAt: now }), 'The key is revoked: create a new one.'],
    ] as const)
      assert.throws(change, { code: 'key_not_active', message });
  });
});

describe('A rotation of a key', () => {
  it('gives the new one the lifetime of the old one, unless told, and never extends the old one', () => {
    const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
    const any = fc.record({
      createdAt: date,
      expiresAt: fc.option(date, { nil: undefined }),
      at: date,
      lifetimeMs: fc.option(fc.nat(1e12), { nil: undefined }),
      overlapMs: fc.nat(1e9),
    });
    fc.assert(
      fc.property(any, ({ createdAt, expiresAt, at, lifetimeMs, overlapMs }) => {
        const given = { digest: 'new', lifetimeMs, overlapMs };
        const rotate = () => rotateKey(key({ createdAt, expiresAt }), given, { ...anyone, now: at });
        if (expiresAt && expiresAt <= at) return refuses(rotate, 'key_not_active');
        const { created, replaced } = rotate();
        const validMs = lifetimeMs ?? (expiresAt && Number(expiresAt) - Number(createdAt));
        assert.equal(created.expiresAt?.getTime(), validMs === undefined ? undefined : Number(at) + validMs);
        const endsAt = Math.min(Number(at) + overlapMs, Number(expiresAt ?? Infinity));
        assert.equal(replaced('2').expiresAt?.getTime(), endsAt);
      }),
    );
  });

  it('gives no key an expiry after the year 9999', () => {
    const { created, replaced } = rotateKey(
      key({ expiresAt: LATEST_TIME }),
      { ...rotation, overlapMs: 1e15 },
      anyone,
    );
    assert.deepEqual([created.expiresAt, replaced('2').expiresAt], [LATEST_TIME, LATEST_TIME]);
  });

  it('takes a day of overlap unless told', () => {
    const overlapOf = (body: object) => validate(KeyRotation, body);
    assert.deepEqual(overlapOf({}).value, { overlap: 86_400_000 });
    assert.deepEqual(overlapOf({ overlap: '7d' }).value, { overlap: 7 * 86_400_000 });
    for (const overlap of ['', '0s', '1w', 3600, null])
      assert.match(overlapOf({ overlap }).problems.join(), /^overlap must be (?:a time such as 90d|text)/);
  });
});
