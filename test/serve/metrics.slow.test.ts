import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { assertPromtoolAccepts, sum } from '../support/metrics.ts';
import { type RunningService, spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { hasTools } from '../support/tools.ts';
import { connectClients, spawnWithWorkers } from '../support/workers.ts';

const COUNT = 'http_server_request_duration_seconds_count';
const LISTED = [COUNT, 'http_route="/v1/pets"', 'method="GET"'] as const;
const ROOT = join(import.meta.dirname, '../..');
const RULES = join(ROOT, 'deploy/alerts.yml');

const metricsUrl = ({ output }: RunningService) => /^Metrics: (\S+)$/m.exec(output.stderr)?.[1] ?? '';
const textOf = async (url: string) => (await fetch(url)).text();

describe('--metrics-port', { timeout: 60_000 }, () => {
  it('serves /metrics without a key, and nothing else', async (t) => {
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:', METRICS_PORT: '0' });
    const url = metricsUrl(service);
    assert.notEqual(new URL(url).port, String(service.port));
    await call(service.origin, 'GET', '/v1/pets');
    const text = await textOf(url);
    assert.equal(sum(text, ...LISTED), 1);
    assert.equal(sum(text, 'animal_store_log_lines_dropped_total'), 0);
    assertPromtoolAccepts(t, text);
    for (const path of ['/', '/v1/pets', '/healthz', '/metrics/']) {
      const response = await fetch(new URL(path, url));
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { code: string }).code, 'not_found');
    }
    assert.equal((await fetch(url, { method: 'POST' })).status, 404);
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
  });

  it('that is in use stops the start with one line', async (t) => {
    const first = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
    await assert.rejects(
      spawnService(t, { DATABASE_URL: 'sqlite::memory:', METRICS_PORT: String(first.port) }),
      /port \d+ is already in use on 127\.0\.0\.1: choose another with --metrics-port or METRICS_PORT/,
    );
  });
});

describe('With workers, one scrape', { timeout: 120_000 }, () => {
  const start = async (t: Parameters<typeof spawnWithWorkers>[0]) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    return spawnWithWorkers(t, { DATABASE_URL, METRICS_PORT: '0' });
  };

  it('has the sums of all processes, on either port', async (t) => {
    const service = await start(t);
    const clients = await connectClients(t, service.port, 4);
    for (const client of clients) assert.equal((await client.get('/v1/pets')).status, 200);
    for (let n = 0; n < 3; n++)
      await call(service.origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    for (const text of [
      await textOf(metricsUrl(service)),
      (await call(service.origin, 'GET', '/metrics')).text,
    ]) {
      assert.equal(sum(text, ...LISTED), 4);
      assert.equal(sum(text, 'animal_store_processes'), 3);
      assert.equal(sum(text, 'animal_store_animals', 'status="available"'), 3);
      // The primary commits for all workers; its writer is probed at start.
      assert.ok(sum(text, 'animal_store_commit_batch_size_sum') >= 3);
      assert.ok(sum(text, 'animal_store_connections') >= 4);
      assertPromtoolAccepts(t, text);
    }
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
  });

  it('never has a smaller sum after a worker was killed', async (t) => {
    const service = await start(t);
    const clients = await connectClients(t, service.port, 4);
    for (const client of clients) await client.get('/v1/pets');
    assert.equal(sum(await textOf(metricsUrl(service)), ...LISTED), 4);
    const [pid = 0] = service.workers();
    process.kill(pid, 'SIGKILL');
    await eventually(() => service.workers().length === 2 && !service.workers().includes(pid), 'replaced');
    for (let n = 0; n < 2; n++) assert.equal(sum(await textOf(metricsUrl(service)), ...LISTED), 4);
    await call(service.origin, 'GET', '/v1/pets');
    assert.equal(sum(await textOf(metricsUrl(service)), ...LISTED), 5);
  });

  it('does not wait for a worker that does not respond', async (t) => {
    const service = await start(t);
    const clients = await connectClients(t, service.port, 4);
    for (const client of clients) await client.get('/v1/pets');
    assert.equal(sum(await textOf(metricsUrl(service)), ...LISTED), 4);
    const [pid = 0] = service.workers();
    process.kill(pid, 'SIGSTOP');
    await sleep(100);
    assert.equal(sum(await textOf(metricsUrl(service)), ...LISTED), 4);
    process.kill(pid, 'SIGCONT');
  });
});

describe('the dashboard and the alerting rules', () => {
  it('ask for metrics that exist', async (t) => {
    const folder = await temporaryFolder(t);
    const service = await spawnService(t, {
      DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
      BACKUP_DIR: join(folder, 'backups'),
      METRICS_PORT: '0',
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
      const text = await textOf(metricsUrl(service));
      return names.filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(text));
    }, []);
    // `increase()` does not see the event that creates a counter.
    const text = await textOf(metricsUrl(service));
    for (const [, name, value] of rules.join().matchAll(/(\w+_total)\{reason=~?"(\w+)/g))
      assert.ok(text.includes(`\n${name}{reason="${value}"} 0\n`), `${name} ${value}`);
  });

  it('are accepted by promtool', (t) => {
    if (!hasTools(t, 'promtool')) return;
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});
