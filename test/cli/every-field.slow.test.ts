import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Pet, type PetUpdate, petJson } from '../../src/contract/pet.ts';
import { formats } from '../../src/data/rows.ts';
import { pet, petUpdate } from '../data/support/pets.ts';
import { served } from '../postgres/support/moved-store.ts';
import { newUrl } from '../support/database/both-stores.ts';
import { runCommand } from '../support/service/command.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const updateJson = (changes: PetUpdate): string =>
  `{${Object.entries(changes).map(([field, value]) => `"${field}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`)}}`;
/** What an export has of them. */
const linesOf = (pets: readonly Pet[]): string => pets.map((one) => `${petJson(one)}\n`).join('');

async function run(database: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, { DATABASE_URL: database });
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

for (const [kind, other] of [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const) {
  it(`Every field of an animal survives everything that can happen to it: ${kind}`, async (t) => {
    const rows = fc.array(fc.tuple(pet, petUpdate), { minLength: 60, maxLength: 80, size: 'max' });
    const property = fc.asyncProperty(rows, async (generated) => {
      const created = generated.map(([one], i): Pet => ({ ...one, id: BigInt(i + 1) }));
      const changed = created.map((one, i) => ({ ...one, ...generated[i]?.[1] }) as Pet);
      const [store, moved] = [await newUrl[kind](t), await newUrl[other](t)];
      const folder = await temporaryFolder(t);
      const exportAs = (name: string) =>
        Promise.all(formats.map((format) => run(store, 'export', join(folder, `${name}.${format}`))));

      await served(t, store, async ({ origin }) => {
        const send = async (method: string, path: string, raw?: string) =>
          (await call(origin, method, `/v1/pets${path}`, { ...(raw !== undefined && { raw }) })).text;
        for (const one of created) assert.equal(await send('POST', '', petJson(one)), petJson(one));
        await exportAs('created');
        for (const [i, one] of changed.entries()) {
          assert.equal(await send('PATCH', `/${one.id}`, updateJson(generated[i]?.[1] ?? {})), petJson(one));
          assert.equal(await send('DELETE', `/${one.id}`), '');
          const removed = `[${petJson(one).slice(0, -1)},"removedAt":`;
          assert.ok((await send('GET', '?removed=true')).startsWith(removed), removed);
          assert.equal(await send('POST', `/${one.id}/restore`), petJson(one));
        }
      });
      await exportAs('changed');
      await run(store, 'move', '--to', moved);
      assert.equal(await run(moved, 'export'), linesOf(changed));
      for (const format of formats) {
        const imported = await newUrl[other](t);
        for (const [name, pets, ...flags] of [
          ['created', created, '--keep-ids', '--create'],
          ['changed', changed, '--update'],
        ] as const) {
          await run(imported, 'import', join(folder, `${name}.${format}`), ...flags);
          assert.equal(await run(imported, 'export'), linesOf(pets), `${name}.${format}`);
        }
      }
    });
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });
}
