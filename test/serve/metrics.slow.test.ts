import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventuallyEqual } from '../support/eventually.ts';
import { assertPromtoolAccepts } from '../support/measure/metrics.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const ROOT = join(import.meta.dirname, '../..');

const scrape = async ({ origin }: RunningService) => (await call(origin, 'GET', '/metrics')).text;

describe('The dashboard and the alerting rules', { timeout: 60_000 }, () => {
  it('ask for metrics that exist', async (t) => {
    const folder = await temporaryFolder(t);
    const service = await spawnService(t, {
      DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
      BACKUP_DIR: folder,
    });
    await call(service.origin, 'GET', '/v1/pets/1');
    const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8'));
    const expressions = (dashboard.panels as { targets?: { expr: string }[] }[]).flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr),
    );
    const rules =
      readFileSync(join(ROOT, 'deploy/alerts.yml'), 'utf8').match(/(?<=^ +expr: (?!up\{)).*/gm) ?? [];
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
    assertPromtoolAccepts(t, await scrape(service));
    // `increase()` does not see the event that creates a counter.
    const text = await scrape(service);
    for (const [, name, value] of rules.join().matchAll(/(\w+_total)\{reason=~?"(\w+)/g))
      assert.ok(text.includes(`\n${name}{reason="${value}"} 0\n`), `${name} ${value}`);
  });
});
