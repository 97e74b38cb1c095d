import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnimalStore, type Key, type KeyScope } from '../../../src/client/index.ts';
import * as keys from '../../../src/web/browser/console/data/keys.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { openShop } from '../support/shop.ts';

const HOUR_MS = 3_600_000;
const TODAY = '2026-11-17';
const PRESENT = new Date(`${TODAY}T15:10`);
const inHours = (hours: number) => new Date(PRESENT.getTime() + hours * HOUR_MS).toISOString();
const lastSecondOf = (day: string) => new Date(`${day}T23:59:59`).toISOString();
const TILL: Key = { id: '1', name: 'till', scopes: ['pets:read', 'store:write'], createdAt: inHours(-9) };

test('a key gives only what it has itself; what may write may read', () => {
  const cases: [ours: KeyScope[], wanted: KeyScope[], mayGive: boolean][] = [
    [['*'], ['*'], true],
    [['*'], ['keys:write'], true],
    [['keys:write', 'pets:write'], ['*'], false],
    [['pets:write'], ['pets:read', 'pets:write'], true],
    [['pets:read'], ['pets:write'], false],
    [['pets:read'], ['pets:read', 'store:read'], false],
  ];
  for (const [ours, wanted, mayGive] of cases)
    assert.equal(keys.mayGive(ours, wanted), mayGive, `${ours} gives ${wanted}`);
});

test('a key is over once it is revoked or its time has come; a replaced one works for another day at most', () => {
  const cases: [key: Partial<Key>, isOver: boolean, endOfOverlap: string][] = [
    [{}, false, inHours(24)],
    [{ revokedAt: inHours(-1) }, true, inHours(24)],
    [{ expiresAt: inHours(0) }, true, inHours(0)],
    [{ expiresAt: inHours(1) }, false, inHours(1)],
    [{ expiresAt: inHours(25) }, false, inHours(24)],
  ];
  for (const [part, isOver, end] of cases) {
    const found = [
      keys.isOver({ ...TILL, ...part }, PRESENT),
      keys.endOfOverlap({ ...TILL, ...part }, PRESENT),
    ];
    assert.deepEqual(found, [isOver, end], JSON.stringify(part));
  }
});

test('a key works on its last day; only what was changed is sent, and only that can be wrong', () => {
  const [yesterday, name, wrongDay] = [
    '2026-11-16',
    'Say who or what it is for.',
    'Choose today or a later day.',
  ];
  const ended = keys.fieldsOf({ ...TILL, expiresAt: lastSecondOf(yesterday) });
  const endless = keys.fieldsOf(TILL);
  assert.deepEqual([ended.ends, ended.day, endless.ends], ['date', yesterday, 'never']);
  const cases: [
    before: keys.KeyFields,
    change: Partial<keys.KeyFields>,
    update: object,
    problems?: object,
  ][] = [
    [ended, {}, {}],
    [ended, { name: ' till  ', scopes: TILL.scopes.toReversed() }, {}],
    [ended, { name: 'till  2' }, { name: 'till 2' }],
    [ended, { name: ' ' }, { name: '' }, { name }],
    [ended, { scopes: ['pets:read'] }, { scopes: ['pets:read'] }],
    [ended, { day: TODAY }, { expiresAt: lastSecondOf(TODAY) }],
    [ended, { day: '2026-11-15' }, { expiresAt: lastSecondOf('2026-11-15') }, { day: wrongDay }],
    [ended, { ends: 'never' }, { expiresAt: null }],
    [endless, { ends: 'quarter' }, { expiresAt: lastSecondOf('2027-02-15') }],
    [endless, { ends: 'year', day: TODAY }, { expiresAt: lastSecondOf('2027-11-17') }],
    [endless, { day: TODAY }, {}],
  ];
  for (const [before, change, update, problems = {}] of cases) {
    const fields = { ...before, ...change };
    assert.deepEqual(keys.keyUpdate(fields, before, TODAY), update);
    assert.deepEqual(keys.problemsWithKey(fields, before, TODAY), problems);
  }
  assert.deepEqual(keys.problemsWithKey({ ...ended, ends: 'date', day: '' }, endless, TODAY), {
    day: wrongDay,
  });
});

test('keys are made, changed, rotated and revoked, and a request that may have made one is not sent again', async (t) => {
  const service = await startService(t, { database: 'sqlite::memory:' });
  const own = await storeKey(service.store, ['keys:write', 'pets:read'], { name: 'office' });
  const opened = await openShop(t, [], { service, key: own.key, screen: { of: 'keys' } });
  const { shop, network, others, said } = opened;
  const known = (id: string) => shop.cache.keys.peek(id) ?? assert.fail(id);
  const idsShown = () => shop.keyList.ids.peek();
  const status = async (key: string) => (await service.call('GET', '/v1/pets', { key })).status;
  const made = keys.makeKey(shop, { name: 'till', scopes: ['pets:read'] });
  assert.equal(shop.running.at('key-new'), 'Making the key…');
  assert.equal((await made)?.isDone, true);
  const { id, name, key } = shop.secret.peek() ?? assert.fail('no secret');
  assert.equal(name, 'till');
  await eventuallyEqual(() => status(key), 200);
  assert.equal('key' in known(id), false, 'the secret is in no row');
  await eventuallyEqual(idsShown, [id, own.id]);
  await keys.changeKey(shop, known(id), { name: 'till 2' });
  assert.deepEqual([known(id).name, said().at(-1)], ['till 2', 'The key “till 2” was changed.']);
  // Its successor is shown, and is not the key of this session.
  await keys.rotateKey(shop, known(id), () => assert.fail('another key'));
  const next = shop.secret.peek() ?? assert.fail('no secret');
  assert.deepEqual([known(id).replacedBy, said().at(-1)], [next.id, 'The key “till 2” was rotated.']);
  await eventuallyEqual(() => status(next.key), 200);
  await keys.revokeKey(shop, known(next.id));
  assert.equal(keys.isOver(known(next.id)), true);
  assert.deepEqual([known(next.id).revokedBy, said().at(-1)], [own.id, 'The key “till 2” was revoked.']);
  await eventuallyEqual(() => status(next.key), 401);
  // Without an answer, a second request would make a second key. A change does no harm.
  network.fail(/^(?!GET)/, 'unanswered');
  const unknown = (what: string) => `No answer from the service. The ${what} may or may not be done.`;
  const look = 'Look at the list before you try again.';
  await keys.makeKey(shop, { name: 'spare', scopes: ['pets:read'] });
  assert.equal(said().at(-1), `${unknown('creation of the key “spare”')} ${look}`);
  await keys.rotateKey(shop, known(id), () => assert.fail('no answer'));
  assert.equal(said().at(-1), `${unknown('rotation of the key “till 2”')} ${look}`);
  await keys.changeKey(shop, known(id), { name: 'till 3' });
  assert.equal(said().at(-1), unknown('change of the key “till 2”'));
  const offers = shop.messages.all.peek().map(({ offer }) => offer?.label);
  assert.deepEqual(offers, [undefined, undefined, 'Try again']);
  network.heal();
  assert.equal((await others.get('keys')).filter((one) => one.name === 'spare').length, 1);
});

test('a late answer about an earlier key does not bring it back', async (t) => {
  const service = await startService(t, { database: 'sqlite::memory:' });
  const { key, id } = await storeKey(service.store, ['pets:read']);
  const { shop, network, others } = await openShop(t, [], { service, key });
  await others.send('PATCH', `keys/${id}`, { name: 'till 9' });
  const stored = () => service.call('GET', '/v1/keys/current', { key });
  await eventually(async () => (await stored()).text.includes('till 9'), 'the key has its new name');
  network.hold(/keys\/current/);
  await assert.rejects(shop.api.read((client, options) => client.listKeys({}, options)));
  await network.untilHeld(1);
  const client = new AnimalStore({ baseUrl: `${service.origin}/v1`, apiKey: KEY });
  shop.api.use({ client, key: await client.getCurrentKey() });
  network.releaseAll();
  await eventually(() => network.pending === 0, 'the answer is there');
  await others.get('pets');
  assert.equal(shop.api.client, client);
});

test('what the key of this session loses is gone at once, and its successor takes its place', async (t) => {
  const service = await startService(t, { database: 'sqlite::memory:' });
  const { key, id } = await storeKey(service.store, ['keys:write', 'pets:write']);
  const { shop } = await openShop(t, ['Ava'], { service, key, screen: { of: 'keys' } });
  const known = () => shop.cache.keys.peek(id) ?? assert.fail(id);
  await keys.changeKey(shop, known(), { scopes: ['keys:write', 'pets:read'] });
  assert.deepEqual([shop.api.may('pets:read'), shop.api.may('pets:write')], [true, false]);
  const successors: string[] = [];
  await keys.rotateKey(shop, known(), async (next) => void successors.push(next));
  assert.deepEqual(successors, [shop.secret.peek()?.key]);
});
