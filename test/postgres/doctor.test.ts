import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { animalStore } from '../support/process.ts';

const server = await createCluster();
await server.start();

it('animal-store doctor checks a PostgreSQL database without creating anything in it', async () => {
  const env = { DATABASE_URL: await createDatabase(server) };
  const examine = async () => {
    const { code, stdout, stderr } = await animalStore(['doctor', '--json'], env);
    assert.equal(stderr, '');
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; status: string; message: string }[];
    };
    const found: Record<string, string> = Object.fromEntries(
      findings.map(({ check, status, message }) => [check, `${status}: ${message}`]),
    );
    return { code, found };
  };
  for (let n = 0; n < 2; n++) {
    const { code, found } = await examine();
    assert.equal(code, 1);
    assert.match(
      found.database ?? '',
      /^notice: postgres:\/\/.* the next start of the service applies \d+ migration/,
    );
    assert.match(found.keys ?? '', /^problem: no client can call/);
  }
  assert.equal((await animalStore(['keys', 'create', '--name', 'till 3'], env)).code, 0);
  const { code, found } = await examine();
  assert.equal(code, 0);
  assert.match(found.database ?? '', /^ok: .* up to date$/);
  assert.match(found.clock ?? '', /^ok: /);
});
