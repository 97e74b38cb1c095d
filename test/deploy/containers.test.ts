import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml } from '@redocly/openapi-core';
import { type Config, readConfig, type SettingName, settings } from '../../src/config.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { promtool } from '../support/measure/metrics.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<'store' | 'database' | 'proxy' | 'prometheus', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: { readonly prometheus: { readonly content: string } };
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: [{ readonly subnet: string }] } };
  };
}

/** What the person who starts it puts into `.env`. */
const dotEnv: Readonly<Record<string, string>> = { DOMAIN: 'shop.example', POSTGRES_PASSWORD: 'c0ffee' };
const VARIABLE = /\$\{(\w+)(?::\?[^}]*)?\}/g;
const text = read('compose.yaml');
const compose = parseYaml(
  text.replace(VARIABLE, (_, name: string) => dotEnv[name] ?? assert.fail(name)),
) as Compose;
const { store, database, proxy, prometheus } = compose.services;

describe('compose.yaml', () => {
  it('needs the variables that docs/deploy.md tells to set, and refuses to start without them', () => {
    for (const name of Object.keys(dotEnv)) {
      assert.match(text, new RegExp(`\\$\\{${name}:\\?`));
      assert.match(read('docs/deploy.md'), new RegExp(`^${name}=`, 'm'));
    }
  });

  it('mounts files that exist and volumes that it declares, and waits for services that it has', () => {
    for (const { volumes = [], depends_on = [] } of [store, database, proxy, prometheus]) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        assert.ok(
          source.startsWith('./') ? existsSync(join(ROOT, source)) : source in compose.volumes,
          source,
        );
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        assert.ok(name in compose.services, name);
    }
  });

  it('gives the service settings that it has, with the database and the network beside it', () => {
    const names = Object.keys(settings) as SettingName[];
    const known = names.map((name) => settings[name].env);
    assert.deepEqual(
      Object.keys(store.environment).filter((name) => !known.includes(name)),
      [],
    );
    const config: Config = readConfig(names, {}, store.environment);
    assert.equal(config.baseUrl, `https://${dotEnv.DOMAIN}/animals/v1`);
    assert.equal(store.environment.TRUST_PROXY, compose.networks.default.ipam.config[0].subnet);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment;
    const { hosts, user, password, database: name } = parseUrl(store.environment.DATABASE_URL ?? '');
    assert.deepEqual([user, password, name], [POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB]);
    assert.deepEqual(hosts, [{ host: 'database', port: 5432 }]);
  });

  it('gives Caddy a configuration for that name and that service', async (t) => {
    if (!hasTools(t, 'caddy')) return;
    const args = ['adapt', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy/Caddyfile')];
    const env = { PATH: process.env.PATH, HOME: await temporaryFolder(t), ...proxy.environment };
    const { stdout, status } = spawnSync('caddy', args, { encoding: 'utf8', env });
    assert.equal(status, 0);
    assert.match(stdout, /"upstreams":\[\{"dial":"store:8080"\}\]/);
    assert.match(stdout, /"host":\["shop\.example"\]/);
    assert.equal(settings.port.fallback, '8080');
  });

  it('gives Prometheus a configuration with the key for it, as deploy/prometheus.yml has one', async (t) => {
    const folder = await temporaryFolder(t);
    await copyFile(join(ROOT, 'deploy/alerts.yml'), join(folder, 'alerts.yml'));
    const { content } = compose.configs.prometheus;
    for (const [i, config] of [content, read('deploy/prometheus.yml')].entries()) {
      const file = join(folder, `${i}.yml`);
      await writeFile(file, config);
      promtool(t, ['check', 'config', '--syntax-only', file]);
      assert.match(config, /credentials_file: .*metrics-key/);
      assert.match(config, /job_name: animal-store\n/, 'the job that every alert selects');
      // An alert about an increase needs at least two samples in its time, even if one is missing.
      const interval = Number(/scrape_interval: (\d+)s/.exec(config)?.[1] ?? 60);
      for (const [time, minutes] of read('deploy/alerts.yml').matchAll(/\[(\d+)m\]/g))
        assert.ok(Number(minutes) * 60 >= 3 * interval, `${time} with a sample every ${interval} s`);
    }
    assert.match(content, /'store:8080'/);
  });
});

/** The health check of the image. There the service, or the init that started it, is process 1. */
function healthCheck(pid: number): string {
  const [, json = ''] = /^HEALTHCHECK .*?CMD (\[.*?\])$/ms.exec(read('Dockerfile')) ?? [];
  const [, , script = ''] = JSON.parse(json.replaceAll('\\\n', '')) as string[];
  return script.replace('/proc/1/', `/proc/${pid}/`);
}

describe('The health check of the image', () => {
  for (const flags of [['--port', 'PORT'], ['--port=PORT'], []])
    it(`finds the port with ${flags.join(' ') || 'the variable PORT'}`, async (t) => {
      const port = `${await freePort()}`;
      const env = { DATABASE_URL: 'sqlite::memory:', PORT: flags.length > 0 ? '1' : port };
      const given = flags.map((flag) => flag.replace('PORT', port));
      const { child } = await spawnService(t, env, [], given);
      const check = ['-e', healthCheck(child.pid ?? 0)];
      assert.equal(spawnSync(process.execPath, check, { env: { PORT: env.PORT } }).status, 0);
    });
});
