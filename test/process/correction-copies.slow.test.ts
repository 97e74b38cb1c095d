import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertCorrected } from '../support/database/consistency.ts';
import { type NamedPet, petsIn } from '../support/database/database.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { animalStore, type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

/** Enough that a copy takes a while. */
const ANIMALS = 20_000;
const COPIES = LONG_RUN ? 6 : 2;

/**
 * Four animals, the first two and the last two of the store. One client works through these steps again and again, each after the
 * answer to the one before, so that at any moment
 * - the first has been renamed as often as the last, or once more;
 * - of the second and the last but one, at least one is there.
 * A copy that reads the beginning and the end of the table at different moments shows something else.
 */
function assertOneMoment(pets: readonly NamedPet[]): number {
  const nameOf = (id: number) => pets.find((pet) => pet.id === id)?.name;
  const [first, last] = [Number(nameOf(1)), Number(nameOf(ANIMALS))];
  assert.ok(first === last || first === last + 1, `renamed ${first} times and ${last} times`);
  assert.ok(nameOf(2) ?? nameOf(ANIMALS - 1), 'both are missing');
  const others = pets.filter(({ id }) => id > 2 && id < ANIMALS - 1);
  assert.equal(others.length, ANIMALS - 4);
  return first;
}

describe('while animals are renamed, removed and restored', { timeout: 600_000 }, () => {
  it('every backup is verified, and every backup and export shows one moment', async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'pets.db');
    const env = { DATABASE_URL: `sqlite:${file}` };
    assert.equal((await animalStore(['seed', `${ANIMALS}`, '--create'], env)).code, 0);
    // Each client writes through a process of its own.
    const [renames, removals] = [await spawnService(t, env), await spawnService(t, env)];
    const send = async ({ origin }: RunningService, method: string, path: string, body?: object) => {
      const { status, text } = await call(origin, method, `/v1/pets/${path}`, { body });
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    };
    const rename = (id: number, name: number) => send(renames, 'PATCH', `${id}`, { name: `${name}` });
    let rounds = 0;
    let isOver = false;
    await Promise.all([rename(1, 0), rename(ANIMALS, 0)]);
    await send(removals, 'DELETE', `${ANIMALS - 1}`);
    const renaming = async () => {
      while (!isOver) {
        rounds++;
        await rename(1, rounds);
        await rename(ANIMALS, rounds);
      }
    };
    const removing = async () => {
      while (!isOver) {
        await send(removals, 'POST', `${ANIMALS - 1}/restore`);
        await send(removals, 'DELETE', '2');
        await send(removals, 'POST', '2/restore');
        await send(removals, 'DELETE', `${ANIMALS - 1}`);
      }
    };
    const clients = Promise.all([renaming(), removing()]);
    t.after(() => {
      isOver = true;
    });

    const moments: number[] = [];
    for (let copy = 0; copy < COPIES; copy++) {
      const before = rounds;
      const [backup, exported] = [join(folder, `backup-${copy}.db`), join(folder, `export-${copy}.ndjson`)];
      const commands = Promise.all([
        animalStore(['backup', backup], env),
        animalStore(['export', exported], env),
      ]);
      for (const { code, stderr } of await Promise.race([commands, clients.then(() => [])]))
        assert.equal(code, 0, stderr);
      assertCorrected(backup);
      const lines = (await readFile(exported, 'utf8')).trimEnd().split('\n');
      for (const pets of [petsIn(backup), lines.map((line) => JSON.parse(line) as NamedPet)]) {
        const moment = assertOneMoment(pets);
        assert.ok(moment >= before - 1, 'older than what was acknowledged before');
        moments.push(moment);
      }
    }
    isOver = true;
    await clients;
    assertCorrected(file);
    t.diagnostic(`${rounds} times renamed; the copies show ${moments.join(', ')}`);
  });
});
