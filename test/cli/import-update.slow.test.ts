import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { bothStores } from '../support/database/both-stores.ts';
import { runCommand } from '../support/service/command.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

for (const [name, createUrl] of bothStores) {
  it(`A spreadsheet that is exported, corrected and imported beside a running service brings back exactly the corrections, and every read sees them: ${name}`, async (t) => {
    const database = await createUrl(t);
    const folder = await temporaryFolder(t);
    const file = join(folder, 'pets.csv');
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(args, { DATABASE_URL: database }, folder);
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };
    await writeFile(file, 'id,status\n7,sold\n');
    // The second one shows that the first has created nothing.
    for (let i = 0; i < 2; i++)
      assert.match(
        await run('import', '--update', '--dry-run', 'pets.csv'),
        /^Valid: 1 row\. There is no store in /,
      );
    await rm(file);
    const { origin } = await spawnService(t, { DATABASE_URL: database });
    const send = async (method: string, path: string, body?: unknown) =>
      (await call(origin, method, `/v1${path}`, { body })).json;
    await send('PUT', '/categories/7', { name: 'Dogs' });
    for (const [name, categoryId] of [
      ['Rxe', 7],
      ['=Kit', 8],
      ['Bo', 7],
      ['Mia', 7],
    ])
      await send('POST', '/pets', { name, categoryId });
    await send('POST', '/store/orders', { petId: 4 });
    const reads = ['/pets', '/pets?status=sold', '/pets?name=re', '/pets?categoryId=7', '/pets?id=1'];
    for (const path of [...reads, '/pets/1', '/store/inventory']) await send('GET', path);

    await run('export', 'pets.csv', '--with-category');
    const exported = await readFile(file, 'utf8');
    assert.equal(
      exported,
      '"id","name","categoryId","status","category"\r\n' +
        '1,"Rxe",7,"available","Dogs"\r\n2,"\'=Kit",8,"available",\r\n' +
        '3,"Bo",7,"available","Dogs"\r\n4,"Mia",7,"pending","Dogs"\r\n',
    );
    assert.match(await run('import', '--update', 'pets.csv'), /^Changed 0 animals and added 0 animals in /);

    const corrected = exported
      .replace('"Rxe"', '"Rex"')
      .replace('3,"Bo",7,"available","Dogs"', '3,"Bo",,"sold","Cats"')
      .replace('"Mia"', '"Mia II"');
    await writeFile(file, `${corrected},"Tom",,,"cats"\r\n`);
    assert.match(
      await run('import', '--update', 'pets.csv'),
      /^Changed 3 animals and added 1 animal in .*\nCreated category (\d+): Cats\n/,
    );
    const cats = ((await send('GET', '/categories?name=cats')) as { id: bigint }[])[0]?.id;
    const pets = [
      { id: 5, name: 'Tom', categoryId: cats, status: 'available' },
      { id: 4, name: 'Mia II', categoryId: 7, status: 'pending' },
      { id: 3, name: 'Bo', categoryId: cats, status: 'sold' },
      { id: 2, name: '=Kit', categoryId: 8, status: 'available' },
      { id: 1, name: 'Rex', categoryId: 7, status: 'available' },
    ];
    const [tom, mia, bo, , rex] = pets;
    assert.deepEqual(await send('GET', '/pets'), pets);
    assert.deepEqual(await send('GET', '/pets?status=sold'), [bo]);
    assert.deepEqual(await send('GET', '/pets?name=re'), [rex]);
    assert.deepEqual(await send('GET', '/pets?categoryId=7'), [mia, rex]);
    assert.deepEqual(await send('GET', `/pets?categoryId=${cats}`), [tom, bo]);
    assert.deepEqual(await send('GET', '/pets/1'), rex);
    assert.deepEqual(await send('GET', '/store/inventory'), { available: 3, pending: 1, sold: 1 });
  });
}
