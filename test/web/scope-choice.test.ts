import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyScope } from '../../src/client/index.ts';
import {
  includedIn,
  isChosen,
  offeredBy,
  scopesOf,
  toggle,
} from '../../src/web/browser/console/keys/scope-choice.ts';

const chosen = (...scopes: KeyScope[]): ReadonlySet<KeyScope> => new Set(scopes);

describe('What a key allows', () => {
  it('is offered as far as the key of the session has it', () => {
    assert.deepEqual(offeredBy(['pets:write', 'keys:write']), ['pets:read', 'pets:write', 'keys:write']);
    assert.deepEqual(offeredBy(['*']), [
      'pets:read',
      'pets:write',
      'store:read',
      'store:write',
      'events:read',
      'metrics:read',
      'keys:write',
      '*',
    ]);
  });

  it('can be taken away one by one, also what is included', () => {
    const options = includedIn(['store:write']);
    assert.deepEqual(options, ['store:read', 'store:write']);
    assert.deepEqual(scopesOf(toggle(chosen(...options), 'store:write', options)), ['store:read']);
    assert.deepEqual(scopesOf(toggle(chosen(...options), 'store:read', options)), []);
  });

  it('includes reading where it includes writing', () => {
    const options = offeredBy(['*']);
    assert.deepEqual(scopesOf(toggle(chosen(), 'pets:write', options)), ['pets:write', 'pets:read']);
    assert.deepEqual(scopesOf(toggle(chosen(), 'keys:write', options)), ['keys:write']);
  });

  it('is everything, alone, or what is left of it', () => {
    const options = includedIn(['*']);
    const all = chosen(...options);
    assert.deepEqual(scopesOf(all), ['*']);
    const without = toggle(all, 'pets:write', options);
    assert.equal(isChosen(without, '*'), false);
    assert.deepEqual(
      scopesOf(without),
      options.filter((scope) => scope !== '*' && scope !== 'pets:write'),
    );
    const few = toggle(chosen('pets:read'), '*', offeredBy(['*']));
    assert.equal(isChosen(few, 'store:write'), true);
    assert.deepEqual(scopesOf(few), ['*']);
    assert.deepEqual(scopesOf(toggle(few, '*', offeredBy(['*']))), ['pets:read']);
  });
});
