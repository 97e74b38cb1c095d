import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { runCommand } from '../support/service/command.ts';
import { petIn } from '../support/service/created.ts';
import { MAIN } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';

interface Line {
  readonly id: string;
  readonly type: string;
  readonly pet: { readonly id: number; readonly name: string };
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const namesOf = (text: string): string[] => linesOf(text).map(({ pet }) => pet.name);

async function start(t: TestContext) {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const store = await openStore(database);
  t.after(() => store.close());
  const events = (...args: string[]) => runCommand(['events', ...args], { DATABASE_URL: database });
  return { database, store, events };
}

const createPet = (store: Store, name: string) =>
  store.createPet({ name, categoryId: 7n, status: 'available' });

/** `animal-store events --follow …` in a process of its own, and what it has printed. */
function follow(t: TestContext, database: string, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'events', '--follow', '--database', database, ...args], {
    env: { PATH: process.env.PATH },
  });
  t.after(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return { child, output, closed: once(child, 'close') };
}

describe('animal-store events', { concurrency: true }, () => {
  it('prints names that control a terminal as JSON can write them', async (t) => {
    const { store, events } = await start(t);
    const name = 'a\u001b[2J\u009b2J\u202eb\u2066\u200f\nc';
    await createPet(store, name);
    const { stdout } = await events();
    assert.deepEqual(namesOf(stdout), [name]);
    assert.doesNotMatch(stdout.slice(0, -1), /[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('prints what there is, oldest first, in more than one page', async (t) => {
    const { store, events } = await start(t);
    assert.deepEqual(await events(), { code: 0, stdout: '', stderr: '' });
    const names = Array.from({ length: 1001 }, (_, n) => `Pet ${n}`);
    const pets = names.map((name) => ({ name, categoryId: 7n, status: 'available' as const }));
    await store.createPets(pets);
    const { stdout } = await events();
    assert.deepEqual(namesOf(stdout), names);
    const [first, ...others] = stdout.split('\n');
    assert.deepEqual((await events('--after', JSON.parse(first ?? '').id)).stdout, others.join('\n'));
  });

  it('prints the history of one animal', async (t) => {
    const { store, events } = await start(t);
    const rex = petIn(await createPet(store, 'Rex'));
    await createPet(store, 'Max');
    await store.removePet(rex.id);
    const lines = linesOf((await events('--pet', `${rex.id}`)).stdout);
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['pet.created', 'pet.removed'],
    );
  });

  it('prints the events of some types and keys, however far they are apart', async (t) => {
    const { store, events } = await start(t);
    const till = { keyId: '3', keyName: 'till' };
    const rex = petIn(
      await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' }, { by: till }),
    );
    await store.updatePet(rex.id, { name: 'Max' });
    const others = Array.from({ length: limits.lookedAt }, () => ({
      name: 'other',
      categoryId: 7n,
      status: 'available' as const,
    }));
    await store.createPets(others);
    await store.removePet(rex.id, undefined, { by: till });
    const typesOf = async (...args: string[]) =>
      linesOf((await events(...args)).stdout).map(({ type }) => type);
    assert.deepEqual(await typesOf('--key', '3', '--key', '4'), ['pet.created', 'pet.removed']);
    assert.deepEqual(await typesOf('--type', 'pet.removed', '--type', 'pet.updated'), [
      'pet.updated',
      'pet.removed',
    ]);
    assert.deepEqual(await typesOf('--type', 'pet.removed'), ['pet.removed'], 'after an empty page');
    assert.deepEqual(await typesOf('--type', 'pet.created', '--key', '3'), ['pet.created']);
    assert.deepEqual(await typesOf('--type', 'pet.created', '--key', '4'), []);
  });

  it('says that there is no such key, instead of printing nothing', async (t) => {
    const { database, store, events } = await start(t);
    const { id } = await store.createKey({ name: 'till', scopes: ['*'], digest: 'digest' });
    assert.deepEqual(await events('--key', id), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(await events('--key', 'env-1a2b3c4d'), { code: 0, stdout: '', stderr: '' });
    const line = /^animal-store: there is no key 99: run \S*animal-store\S* keys list to see all keys\n$/;
    const { code, stdout, stderr } = await events('--key', id, '--key', '99');
    assert.match(stderr, line);
    assert.deepEqual([code, stdout], [1, '']);
    const { output, closed } = follow(t, database, '--key', '99');
    assert.deepEqual(await closed, [1, null]);
    assert.match(output.stderr, line);
    const by = { keyId: '99', keyName: 'gone' };
    await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' }, { by });
    assert.deepEqual(namesOf((await events('--key', '99')).stdout), ['Rex'], 'its events are printed');
  });

  it('says in one line what is wrong', async (t) => {
    const { store, events } = await start(t);
    await createPet(store, 'Rex');
    const { id } = linesOf((await events()).stdout)[0] as Line;
    const foreign = await start(t);
    const expected: [number, string[], RegExp][] = [
      [2, ['--after', 'x'], /--after must be the id of an event/],
      [2, ['--pet', 'Rex'], /--pet must be the id of an animal, not "Rex"/],
      [2, ['--type', 'pet.created', '--type', 'sold'], /--type must be 1 to 20 of pet\.created, /],
      [2, ['--key', 'till 3'], /--key must be 1 to 20 identifiers of API keys, such as --key=3 --key=4/],
      [2, ['7'], /usage: animal-store events \[flags\]/],
    ];
    for (const [code, args, message] of expected) {
      const result = await events(...args);
      assert.equal(result.code, code);
      assert.match(result.stderr, /^animal-store: [^\n]+\n$/);
      assert.match(result.stderr, message);
    }
    const { code, stderr } = await foreign.events('--after', id);
    assert.deepEqual([code, /no longer kept/.test(stderr)], [1, true], stderr);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`--follow prints events as they happen, until ${signal}`, async (t) => {
      const { database, store, events } = await start(t);
      await createPet(store, 'before');
      const [{ id }] = linesOf((await events()).stdout) as [Line];
      const { child, output, closed } = follow(t, database, '--after', id);
      for (const name of ['Rex', 'Max']) {
        await createPet(store, name);
        await eventually(() => namesOf(output.stdout).at(-1) === name, `${name} is printed`);
      }
      assert.deepEqual(namesOf(output.stdout), ['Rex', 'Max']);
      child.kill(signal);
      assert.deepEqual(await closed, [0, null]);
      assert.equal(output.stderr, '');
    });
  }

  it('--follow prints only the events of a type', async (t) => {
    const { database, store, events } = await start(t);
    const { id } = petIn(await createPet(store, 'before'));
    const [first] = linesOf((await events()).stdout) as [Line];
    const { output } = follow(
      t,
      database,
      '--after',
      first.id,
      '--type',
      'pet.removed',
      '--type',
      'pet.updated',
    );
    await store.updatePet(id, { name: 'Rex' });
    await createPet(store, 'other');
    await store.removePet(id);
    await eventuallyEqual(
      () => linesOf(output.stdout).map(({ type }) => type),
      ['pet.updated', 'pet.removed'],
    );
  });

  it('--follow begins now, and ends when its reader does', async (t) => {
    const { database, store } = await start(t);
    await createPet(store, 'before');
    const { child, output, closed } = follow(t, database);
    await eventuallyEqual(async () => {
      await createPet(store, 'after');
      return output.stdout !== '';
    }, true);
    assert.deepEqual(new Set(namesOf(output.stdout)), new Set(['after']));
    child.stdout.destroy();
    await createPet(store, 'unread');
    assert.deepEqual(await closed, [0, null]);
    assert.equal(output.stderr, '');
  });
});
