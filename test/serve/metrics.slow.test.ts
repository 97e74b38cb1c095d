import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventuallyEqual } from '../support/eventually.ts';
import { assertPromtoolAccepts, sum } from '../support/measure/metrics.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULES = join(ROOT, 'deploy/alerts.yml');

const scrape = async ({ origin }: RunningService) => (await call(origin, 'GET', '/metrics')).text;

it('one scrape has the requests, the writes, the log and the process', { timeout: 60_000 }, async (t) => {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = await spawnService(t, { DATABASE_URL });
  for (let n = 0; n < 3; n++)
    await call(service.origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
  await call(service.origin, 'GET', '/v1/pets');
  const text = await scrape(service);
  const created = ['http_route="/v1/pets"', 'method="POST"'];
  assert.equal(sum(text, 'http_server_request_duration_seconds_count', ...created), 3);
  assert.equal(sum(text, 'animal_store_animals', 'status="available"'), 3);
  // The writer is probed at start.
  assert.ok(sum(text, 'animal_store_commit_batch_size_sum') >= 3);
  assert.ok(sum(text, 'animal_store_connections') >= 1);
  assert.equal(sum(text, 'animal_store_log_lines_dropped_total'), 0);
  assert.ok(sum(text, 'process_open_fds') > 0);
  assertPromtoolAccepts(t, text);
});

describe('the dashboard and the alerting rules', () => {
  it('ask for metrics that exist', async (t) => {
    const folder = await temporaryFolder(t);
    const service = await spawnService(t, {
      DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
      BACKUP_DIR: join(folder, 'backups'),
    });
    await call(service.origin, 'GET', '/v1/pets/1');
    const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8'));
    const expressions = (dashboard.panels as { targets?: { expr: string }[] }[]).flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr),
    );
    const rules = readFileSync(RULES, 'utf8').match(/(?<=^ +expr: (?!up\{)).*/gm) ?? [];
    assert.ok(rules.length > 10);
    expressions.push(...rules);
    const names = expressions.flatMap((expression) => {
      const found = expression.match(/\b(?:animal_store|http_server|process|nodejs)_\w+/g) ?? [];
      assert.ok(found.length > 0, expression);
      return found;
    });
    // Some exist only after the first backup, or once the store has responded.
    await eventuallyEqual(async () => {
      const text = await scrape(service);
      return names.filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(text));
    }, []);
    // `increase()` does not see the event that creates a counter.
    const text = await scrape(service);
    for (const [, name, value] of rules.join().matchAll(/(\w+_total)\{reason=~?"(\w+)/g))
      assert.ok(text.includes(`\n${name}{reason="${value}"} 0\n`), `${name} ${value}`);
  });

  it('are accepted by promtool', (t) => {
    if (!hasTools(t, 'promtool')) return;
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});
