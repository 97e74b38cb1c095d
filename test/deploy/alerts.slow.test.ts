import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const RULES = join(import.meta.dirname, '../../deploy/alerts.yml');
const LABELS = '{job="animal-store",instance="127.0.0.1:8080"}';

/** What a service reports in each minute. Times are minutes, and become seconds. */
interface Case {
  readonly what: string;
  readonly interval: number;
  startedAt(minute: number): number;
  /** 0 before the first backup. */
  succeededAt(minute: number): number;
  /** When it is looked at, and whether the alert fires then. */
  readonly fires: Readonly<Record<number, boolean>>;
}

const cases: readonly Case[] = [
  {
    what: 'a new service has twice the interval for its first backup',
    interval: 60,
    startedAt: () => 10,
    succeededAt: () => 0,
    fires: { 11: false, 70: false, 130: false, 137: true },
  },
  {
    what: 'a backup every hour is never too old',
    interval: 60,
    startedAt: () => 10,
    succeededAt: (minute) => (minute < 12 ? 0 : minute - ((minute - 12) % 60)),
    fires: { 11: false, 60: false, 130: false, 140: false, 250: false, 370: false },
  },
  {
    what: 'a backup is too old after twice the interval, also after restarts',
    interval: 60,
    startedAt: (minute) => minute - (minute % 30),
    succeededAt: () => 12,
    fires: { 60: false, 132: false, 139: true, 370: true },
  },
  {
    what: 'a service that was stopped for hours has time to write a backup',
    interval: 60,
    startedAt: () => 300,
    succeededAt: (minute) => (minute < 303 ? 12 : 303),
    fires: { 301: false, 302: false, 310: false, 370: false },
  },
  {
    what: 'the interval is that of the service',
    interval: 180,
    startedAt: () => 10,
    succeededAt: () => 12,
    fires: { 140: false, 200: false, 372: false, 379: true },
  },
];

const seriesOf = ({ interval, startedAt, succeededAt, fires }: Case) => {
  const minutes = Array.from(
    { length: Math.max(...Object.keys(fires).map(Number)) + 1 },
    (_, minute) => minute,
  );
  // Before it is started, the service is not scraped.
  const values = (value: (minute: number) => number) =>
    minutes.map((minute) => (startedAt(minute) > minute ? '_' : `${value(minute) * 60}`)).join(' ');
  return [
    { series: `process_start_time_seconds${LABELS}`, values: values(startedAt) },
    { series: `animal_store_backup_last_success_timestamp_seconds${LABELS}`, values: values(succeededAt) },
    { series: `animal_store_backup_interval_seconds${LABELS}`, values: values(() => interval) },
    // Another program, and a service that writes no backups.
    { series: 'process_start_time_seconds{job="node",instance="127.0.0.1:9100"}', values: values(() => 0) },
  ];
};

it('AnimalStoreBackupTooOld fires when backups are missing for too long, and at no other time', async (t) => {
  if (!hasTools(t, 'promtool')) return;
  const tests = cases.map((example) => ({
    name: example.what,
    interval: '1m',
    input_series: seriesOf(example),
    promql_expr_test: Object.entries(example.fires).map(([minute, fires]) => ({
      expr: 'count(ALERTS{alertname="AnimalStoreBackupTooOld",alertstate="firing"}) or vector(0)',
      eval_time: `${minute}m`,
      exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
    })),
  }));
  const file = join(await temporaryFolder(t), 'test.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
