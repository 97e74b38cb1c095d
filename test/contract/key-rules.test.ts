import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode, ErrorDetails } from '../../src/contract/errors.ts';
import { type Actor, createKey, revokeKey, rotateKey, updateKey } from '../../src/contract/rules/keys.ts';
import { operationScopes, type Scope } from '../../src/contract/scope.ts';

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

const refuses = (change: () => unknown, code: ErrorCode, details: ErrorDetails = {}) =>
  assert.throws(change, { code, details });

const anyScopes = fc.oneof(
  fc.constant(['*'] as const),
  fc.subarray([...operationScopes], { minLength: 1 }),
) satisfies fc.Arbitrary<readonly Scope[]>;

describe('A change of a key', () => {
  it('by a key that is revoked, expired or unknown is refused, whatever it is', () => {
    const actors = { revoked: key({ revokedAt: now }), expired: key({ expiresAt: now }), unknown: undefined };
    for (const [refused, acting] of Object.entries(actors)) {
      const actor: Actor = { by: owner, key: acting, now };
      const refusal = { refused: refused as keyof typeof actors, ...(acting && { keyId: '1' }) };
      for (const change of changes(['pets:read'], actor)) refuses(change, 'unauthorized', { refusal });
      refuses(() => revokeKey(undefined, actor), 'unauthorized', { refusal });
      refuses(() => updateKey(undefined, {}, actor), 'unauthorized', { refusal });
    }
  });

  it('by another key needs all scopes of the changed one; writing includes reading', () => {
    const has = (granted: readonly Scope[], scope: Scope) =>
      granted.includes('*') ||
      granted.includes(scope) ||
      granted.includes(scope.replace(':read', ':write') as Scope);
    fc.assert(
      fc.property(anyScopes, anyScopes, (granted, scopes) => {
        const isManager = has(granted, 'keys:write');
        const missingScopes: readonly Scope[] = isManager
          ? scopes.filter((scope) => !has(granted, scope))
          : ['keys:write'];
        for (const change of changes(scopes, { by: owner, key: key({ scopes: granted }), now }))
          if (missingScopes.length === 0) assert.doesNotThrow(change);
          else refuses(change, 'insufficient_scope', { missingScopes });
      }),
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
    refuses(() => revokeKey(undefined, actor), 'key_not_found');
    refuses(() => updateKey(undefined, {}, actor), 'key_not_found');
    refuses(() => rotateKey(undefined, rotation, actor), 'key_not_found');
  });
});

describe('An update of a key', () => {
  it('brings none back to life', () => {
    const inactive = { revoked: { revokedAt: now }, expired: { expiresAt: now } };
    for (const [state, fields] of Object.entries(inactive))
      assert.throws(() => updateKey(key(fields), { expiresAt: null }, anyone), {
        code: 'key_not_active',
        message: `The key is ${state}: create a new one.`,
      });
  });
});

describe('A rotation of a key', () => {
  it('gives the new one the lifetime of the old one, which never lives longer than before', () => {
    const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
    fc.assert(
      fc.property(
        date,
        fc.option(date, { nil: undefined }),
        date,
        fc.nat(1e9),
        (createdAt, expiresAt, at, overlapMs) => {
          const rotate = () =>
            rotateKey(key({ createdAt, expiresAt }), { ...rotation, overlapMs }, { ...anyone, now: at });
          if (expiresAt && expiresAt <= at) return refuses(rotate, 'key_not_active');
          const { created, replaced } = rotate();
          const { expiresAt: endsAt } = replaced('2');
          assert.equal(created.expiresAt === undefined, expiresAt === undefined);
          assert.ok(endsAt && endsAt.getTime() <= at.getTime() + overlapMs);
          if (expiresAt) assert.ok(endsAt <= expiresAt);
          if (expiresAt && expiresAt > createdAt)
            assert.equal(Number(created.expiresAt) - Number(at), Number(expiresAt) - Number(createdAt));
        },
      ),
    );
  });

  it('is refused, with what to do, if the key does not work any more or was replaced before', () => {
    const refusals: readonly (readonly [Fields, string])[] = [
      [{ revokedAt: now }, 'The key is revoked: create a new one.'],
      [{ expiresAt: now }, 'The key is expired: create a new one.'],
      [{ replacedBy: '2' }, 'The key was replaced by key 2: rotate that one.'],
      [{ replacedBy: '2', revokedAt: now }, 'The key is revoked: create a new one.'],
    ];
    for (const [fields, message] of refusals)
      assert.throws(() => rotateKey(key(fields), rotation, anyone), { code: 'key_not_active', message });
  });
});
