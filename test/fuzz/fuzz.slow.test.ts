import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertCorrected } from '../support/database/consistency.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { fuzz } from './fuzz.ts';
import { problemsOf } from './service-problems.ts';
import { sessions } from './sessions.ts';

const REQUESTS = 3000;

const digestOf = (seed: number): string => {
  const hash = createHash('sha256');
  for (const { parts, ends } of sessions(seed).take(300))
    hash.update(Buffer.concat(parts.flat())).update(`${ends}`);
  return hash.digest('hex');
};

describe('npm run fuzz', { timeout: 120_000 }, () => {
  it('sends the same bytes for the same seed', () => {
    assert.equal(digestOf(1), digestOf(1));
    assert.notEqual(digestOf(1), digestOf(2));
  });

  it(`finds nothing in ${REQUESTS} requests: no 5xx, no crash, and every response as documented`, async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    // A different one in every run, so that all runs together cover more. The seed of a failure is in its message.
    const seed = Math.floor(Math.random() * 1e6);
    const report = await fuzz(service.port, { seed, requests: REQUESTS });
    const problems = [...report.failures, ...(await problemsOf(service))];
    assert.deepEqual(problems, [], `npm run fuzz -- --seed ${seed} --requests ${REQUESTS}`);
    assertCorrected(file);
    t.diagnostic(`seed ${seed}: ${JSON.stringify(Object.fromEntries([...report.byStatus].sort()))}`);
    for (const status of [200, 201, 204, 400, 401, 404, 405, 409, 412, 413, 415])
      assert.ok(
        report.byStatus.has(status),
        `no response was ${status}: the requests do not reach every stage`,
      );
  });
});
