import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnService } from '../support/service/process.ts';
import { fuzz } from './fuzz.ts';
import { problemsOf } from './service-problems.ts';

/** npm run fuzz -- --seed N [--requests 200000] [--session N]: sends generated requests to a new service. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '200000' },
    session: { type: 'string' },
  },
});
const number = (name: 'seed' | 'requests' | 'session'): number => {
  const value = values[name] ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  process.stderr.write(`--${name} must be a whole number, not ${JSON.stringify(value)}\n`);
  process.exit(2);
};

const folder = await mkdtemp(join(tmpdir(), 'animal-store-fuzz-'));
const cleanups: (() => unknown)[] = [];
const lifetime = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
try {
  const service = await spawnService(lifetime, { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}` });
  const seed = number('seed');
  const requests = number('requests');
  let reported = 0;
  const report = await fuzz(service.port, {
    seed,
    requests,
    only: values.session === undefined ? undefined : number('session'),
    onProgress: (sent) => {
      if (sent - reported < 10_000) return;
      reported = sent;
      process.stderr.write(`${sent} of ${requests} requests\n`);
    },
  });
  const problems = [...report.failures, ...(await problemsOf(service))];
  const statuses = Object.fromEntries([...report.byStatus].sort(([a], [b]) => a - b));
  process.stdout.write(
    `seed ${seed}: ${report.requests} requests on ${report.sessions} connections, ${problems.length} problems\n` +
      `responses by status: ${JSON.stringify(statuses)}\n${problems.map((problem) => `${problem}\n`).join('')}`,
  );
  if (problems.length > 0) process.exitCode = 1;
} finally {
  for (const cleanup of cleanups) await cleanup();
  await rm(folder, { recursive: true, force: true });
}
