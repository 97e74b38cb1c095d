import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { operations } from '../../src/contract/operations/all.ts';
import { samplePets } from '../../src/data/samples.ts';
import { installTools, run, runOrFail } from '../package/support/commands.ts';
import { animalStore, spawnService } from '../support/service/process.ts';

/** As a person chooses it when importing: the examples of the document, and no parameter that is not required. */
const OPTIONS = 'parametersResolution=Example,enableOptionalParameters=false';

interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      /** None if no response arrived. */
      readonly response?: { readonly code: number };
    }[];
  };
}

describe('A Postman collection', { timeout: 300_000 }, () => {
  it('made of the served document runs from the first request to the last on sample animals, and each one succeeds', async (t) => {
    const folder = await installTools(t, 'openapi-to-postmanv2@6.3.3', 'newman@6.2.2');
    const [document, collection, report] = ['openapi.json', 'collection.json', 'report.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const program = (name: string) => join(folder, 'node_modules/.bin', name);

    const env = { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}` };
    // Available animals without orders: the first order is the one that the collection creates.
    const animals = join(folder, 'pets.csv');
    const rows = [...samplePets(50, 1)].map(
      ({ name, categoryId }) => `"${name}",Category ${categoryId},${categoryId}\n`,
    );
    await writeFile(animals, `name,category,categoryId\n${rows.join('')}`);
    assert.equal((await animalStore(['import', animals, '--create'], env)).code, 0);
    const created = await animalStore(['keys', 'create', '--name', 'Postman', '--json'], env);
    const { key } = JSON.parse(created.stdout) as { key: string };
    const { origin } = await spawnService(t, env);

    await writeFile(document, await (await fetch(`${origin}/openapi.json`)).text());
    await runOrFail([program('openapi2postmanv2'), '-s', document, '-o', collection, '-O', OPTIONS], {
      cwd: folder,
    });
    const variables = [`baseUrl=${origin}/v1`, `bearerToken=${key}`].flatMap((one) => ['--env-var', one]);
    const reporting = ['--reporters', 'json', '--reporter-json-export', report];
    await run([program('newman'), 'run', collection, ...variables, ...reporting], { cwd: folder });

    const { executions } = (JSON.parse(await readFile(report, 'utf8')) as Report).run;
    const answered = executions.map(({ item, response }) => `${item.name}: ${response?.code}`);
    const promised = Object.values(operations).map(({ summary, answer }) => `${summary}: ${answer.status}`);
    assert.deepEqual(answered.toSorted(), promised.toSorted());
    t.diagnostic(`${answered.length} requests succeeded`);
  });
});
