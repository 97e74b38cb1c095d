import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/service/free-port.ts';
import { isReachable } from '../../support/service/is-reachable.ts';
import { launch } from '../../support/service/launch.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');

interface Proxy {
  readonly file: string;
  /** Turns the file that we ship into one that listens on `port` of the loopback address, without TLS: HTTP/1.1, or HTTP/2 alone. */
  adapt(config: string, port: number, folder: string, isHttp2: boolean): string;
  command(config: string, folder: string): readonly string[];
}

const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    adapt: (config, port, folder, isHttp2) => `daemon off;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${folder}/nginx.pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
        ${config
          .replace(/^server \{\s+listen 80;[\s\S]*$/m, '')
          .replace(/ssl_.*;/g, '')
          .replace('listen [::]:443 ssl http2;', '')
          .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port}${isHttp2 ? ' http2' : ''};`)}
      }`,
    command: (config, folder) => ['nginx', '-p', folder, '-c', config],
  },
  caddy: {
    file: 'Caddyfile',
    adapt: (config, port, _folder, isHttp2) => `{
        admin off
        servers {
          protocols ${isHttp2 ? 'h1 h2c' : 'h1'}
        }
      }
      ${config.replace('{$DOMAIN:shop.example}', `http://127.0.0.1:${port}`)}`,
    command: (config) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
  },
  haproxy: {
    file: 'haproxy.cfg',
    adapt: (config, port, _folder, isHttp2) =>
      config
        .replace(/^frontend redirect[\s\S]*$/m, '')
        .replace(/bind :443 .*/, `bind 127.0.0.1:${port}${isHttp2 ? ' proto h2' : ''}`),
    command: (config) => ['haproxy', '-db', '-f', config],
  },
} as const satisfies Record<string, Proxy>;

type Name = keyof typeof PROXIES;
export const PROXY_NAMES = Object.keys(PROXIES) as readonly Name[];

/**
 * Starts a proxy with the configuration that we ship, in front of the service on `upstream`, or of two of them: then with the lines that
 * have a `#` without a space. Returns the API's base address.
 */
export async function startProxy(
  t: TestContext,
  name: Name,
  upstream: number | readonly [number, number],
  { isHttp2 = false } = {},
): Promise<string> {
  const proxy: Proxy = PROXIES[name];
  const [folder, port] = [await temporaryFolder(t), await freePort()];
  const shipped = await readFile(join(DEPLOY, proxy.file), 'utf8');
  const config = join(folder, proxy.file);
  const services = [upstream].flat().map((one) => `127.0.0.1:${one}`);
  const [first = '', second] = services;
  const lines = second === undefined ? shipped : shipped.replace(/^(\s*)#(?=\S)/gm, '$1');
  await writeFile(
    config,
    proxy
      .adapt(lines, port, folder, isHttp2)
      .replace('127.0.0.1:8080', first)
      .replace('127.0.0.1:8081', second ?? ''),
  );
  const env = { HOME: folder, SERVICE: services.join(' ') };
  const { child, output } = launch(t, proxy.command(config, folder), { env, cwd: folder });
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${output()}`);
    return isReachable(port);
  }, `${name} accepts connections`);
  return `http://127.0.0.1:${port}/animals/v1`;
}
