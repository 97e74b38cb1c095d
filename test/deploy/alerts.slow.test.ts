import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { eventuallyEqual } from '../support/eventually.ts';
import { promtool } from '../support/measure/metrics.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const rules: readonly string[] = read('alerts.yml').match(/(?<=^ +expr: ).*/gm) ?? [];
const expressions = [...rules];
JSON.parse(read('grafana-dashboard.json'), (key, value) => {
  if (key === 'expr') expressions.push(value);
  return value;
});

/** Each metric of an expression with its label matchers. What a bracket follows is a function. */
const selectorsOf = (expression: string): readonly string[] =>
  expression
    .replaceAll(/ by \([^)]*\)/g, '')
    .match(/\b(?!(?:or|and|unless)\b)[a-z]\w*\b(?! ?\()(?:\{[^}]*\})?/g) ?? [];

it('The dashboard and the alerting rules select the job with every metric: other services have metrics of the same names', () => {
  assert.equal(rules.length, read('alerts.yml').match(/ alert: /g)?.length);
  assert.ok(expressions.length > rules.length + 20);
  for (const expression of expressions) {
    const selectors = selectorsOf(expression);
    assert.ok(selectors.length > 0, expression);
    for (const selector of selectors) assert.match(selector, /[{,]job="animal-store"[},]/, expression);
  }
});

it('The dashboard and the alerting rules ask for metrics that exist', async (t) => {
  const folder = await temporaryFolder(t);
  const service = await spawnService(t, {
    DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
    BACKUP_DIR: folder,
  });
  const scrape = async () => (await call(service.origin, 'GET', '/metrics')).text;
  for (const path of ['/v1/pets/1', '/nope']) await call(service.origin, 'GET', path);
  const names = expressions.flatMap(selectorsOf).map((selector) => selector.replace(/\{.*/, ''));
  // Some exist only after the first backup, or once the store has responded. Prometheus itself makes `up`.
  await eventuallyEqual(async () => {
    const text = await scrape();
    return names.filter((name) => name !== 'up' && !new RegExp(`^${name}[{ ]`, 'm').test(text));
  }, []);
  promtool(t, ['check', 'metrics'], await scrape());
  // `increase()` does not see the event that creates a counter.
  const text = await scrape();
  for (const [, name, value] of rules.join().matchAll(/(\w+_total)\{[^}]*\breason=~?"(\w+)/g))
    assert.ok(text.includes(`\n${name}{reason="${value}"} 0\n`), `${name} ${value}`);
});

const LABELS = '{job="animal-store",instance="127.0.0.1:8080"}';

/**
 * What a service reports in each minute, and in which minutes the alert fires. Times are minutes, and become seconds. Before the first
 * backup, its time is 0.
 */
const cases = [
  {
    what: 'a new service has twice the interval for its first backup',
    interval: 180,
    startedAt: () => 10,
    succeededAt: () => 0,
    fires: { 11: false, 140: false, 370: false, 377: true },
  },
  {
    what: 'a backup every hour is never too old',
    interval: 60,
    startedAt: () => 10,
    succeededAt: (minute: number) => (minute < 12 ? 0 : minute - ((minute - 12) % 60)),
    fires: { 11: false, 60: false, 130: false, 140: false, 250: false, 370: false },
  },
  {
    what: 'a backup is too old after twice the interval, also after restarts',
    interval: 60,
    startedAt: (minute: number) => minute - (minute % 30),
    succeededAt: () => 12,
    fires: { 60: false, 132: false, 139: true, 370: true },
  },
  {
    what: 'a service that was stopped for hours has time to write a backup',
    interval: 60,
    startedAt: () => 300,
    succeededAt: (minute: number) => (minute < 303 ? 12 : 303),
    fires: { 301: false, 302: false, 310: false, 370: false },
  },
];

const seriesOf = ({ interval, startedAt, succeededAt }: (typeof cases)[number]) => {
  const minutes = Array.from({ length: 400 }, (_, minute) => minute);
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

/** Fails unless promtool finds what these tests expect of the rules. JSON is YAML. */
async function assertRules(t: TestContext, ...tests: readonly object[]): Promise<void> {
  const file = join(await temporaryFolder(t), 'test.yml');
  await writeFile(file, JSON.stringify({ rule_files: [join(DEPLOY, 'alerts.yml')], tests }));
  promtool(t, ['test', 'rules', file]);
}

it('AnimalStoreBackupTooOld fires when backups are missing for too long, and at no other time', (t) => {
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
  return assertRules(t, ...tests);
});

/** What takes up to 0.1 s and what takes up to 1 s, in each minute from one on, under names that other services use as well. */
const durations = (job: string, instance: string, fast: number, slow: number, from = 0) =>
  ['http_server_request_duration_seconds', 'nodejs_eventloop_delay_seconds'].flatMap((name) =>
    Object.entries({ 0.1: fast, 1: fast + slow, '+Inf': fast + slow }).map(([le, count]) => ({
      series: `${name}_bucket{job="${job}",instance="${instance}",le="${le}"}`,
      values: `${'_ '.repeat(from)}0+${count}x40`,
    })),
  );

it('Alerts about durations fire for an instance of the service, and for no other service', (t) => {
  const labels = (name: string) =>
    `ALERTS{alertname="${name}",alertstate="firing",instance="127.0.0.1:8081",severity="warning"}`;
  const slow = ['AnimalStoreSlow', 'AnimalStoreBusyEventLoop'].map((name) => ({
    labels: labels(name),
    value: 1,
  }));
  return assertRules(t, {
    name: 'a slow service beside ours, then a slow instance beside one that has most of the requests',
    interval: '1m',
    input_series: [
      ...durations('checkout', '127.0.0.1:9000', 0, 10_000),
      ...durations('animal-store', '127.0.0.1:8080', 10_000, 0),
      ...durations('animal-store', '127.0.0.1:8081', 0, 10, 20),
    ],
    promql_expr_test: [
      { expr: 'ALERTS{alertstate="firing"}', eval_time: '19m', exp_samples: [] },
      { expr: 'ALERTS{alertstate="firing"}', eval_time: '40m', exp_samples: slow },
    ],
  });
});
