import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WriteMetrics } from '../../src/metrics/metrics.ts';
import { startMaintenance } from '../../src/store/maintenance.ts';
import { eventually } from '../support/eventually.ts';

it('Maintenance that fails goes on, is counted, and is reported once until it succeeds', async (t) => {
  const monitor = new WriteMetrics();
  const failures = () =>
    monitor.families().find(({ name }) => name === 'animal_store_maintenance_failures_total')?.samples[0]
      ?.value;
  const reports: string[] = [];
  const outcomes = ['disk full', 'disk full', undefined, 'locked'];
  let runs = 0;
  const stop = startMaintenance(
    async () => {
      const problem = outcomes[runs++];
      if (problem !== undefined) throw new Error('unavailable', { cause: new Error(problem) });
    },
    { everyMs: 1, monitor, report: (message) => reports.push(message) },
  );
  t.after(stop);
  assert.equal(failures(), 0, 'the metric exists before the first failure');
  await eventually(() => runs > outcomes.length, 'it goes on');
  assert.equal(failures(), 3);
  assert.deepEqual(
    reports.map((line) => line.replace(/^the maintenance of the database failed: /, '')),
    ['disk full', 'locked'],
  );
});
