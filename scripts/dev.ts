/**
 * `npm run dev`: the service of this checkout, restarted when its sources change, with pages that reload when theirs do.
 *
 * It is a server of its own in front of the service and not part of the package: the service has no development mode that
 * could be switched on by mistake. It listens on the loopback address only and rejects requests that name another host, so that
 * a website whose name resolves to the loopback address (DNS rebinding) reaches neither it nor the service behind it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { context, type Plugin } from 'esbuild';
import { bundleOptions, siteOf } from '../src/web/bundle.ts';
import { type Page, toPage } from '../src/web/page.ts';
import { compress } from '../src/web/site.ts';

const ROOT = join(import.meta.dirname, '..');
const HOST = '127.0.0.1';
const CHANGES = '/dev/changes';

let pages: ReadonlyMap<string, Page> = new Map();
const watchers = new Set<ServerResponse>();

const publish: Plugin = {
  name: 'publish',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors }) => {
      for (const { text, location } of errors)
        process.stderr.write(`${location?.file}:${location?.line}: ${text}\n`);
      if (errors.length > 0) return;
      const files = [...(await siteOf(outputFiles))];
      // Each name contains the digest of its text, so the same names mean the same texts.
      if (files.every(([path]) => pages.has(path))) return;
      pages = new Map(
        await Promise.all(
          files.map(async ([path, text]) => [path, toPage(path, await compress(text))] as const),
        ),
      );
      for (const watcher of watchers) watcher.write('data: changed\n\n');
    });
  },
};

/** Added to every script, because the policy of the pages allows neither inline scripts nor other origins. */
const RELOAD = `new EventSource(new URL('.${CHANGES}', document.baseURI)).onmessage = () => location.reload();`;

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function answer(incoming: IncomingMessage, response: ServerResponse): void {
  if (!hosts.includes(incoming.headers.host ?? '')) {
    response.writeHead(421).end(`Use http://${hosts[0]}\n`);
    return;
  }
  const [pathname = ''] = (incoming.url ?? '').split('?');
  const page = pages.get(pathname);
  if (pathname === CHANGES) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  } else if (page) response.writeHead(200, [...page.headers]).end(page.bodies.identity);
  else forward(incoming, response);
}

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const passed = request({ host: HOST, port: servicePort, method, path: url, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
    pipeline(answered, response, () => {});
  });
  passed.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('The service restarts.\n');
  });
  // A client that goes away ends its stream of events.
  response.on('close', () => passed.destroy());
  incoming.pipe(passed);
}

const bundler = await context({
  ...bundleOptions,
  write: false,
  sourcemap: 'inline',
  banner: { js: RELOAD },
  plugins: [publish],
});
await bundler.rebuild();
await bundler.watch();
const servicePort = await freePort();
const server = createServer(answer).listen(Number(process.env.PORT ?? 8080), HOST);
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const hosts = [`${HOST}:${port}`, `localhost:${port}`];
const service = spawn(
  process.execPath,
  ['--watch', join(ROOT, 'bin/animal-store.js'), 'serve', ...process.argv.slice(2)],
  {
    // The pages are served from here.
    env: { ...process.env, HOST, PORT: `${servicePort}`, PAGES: 'off' },
    stdio: 'inherit',
  },
);
process.stderr.write(
  `Development: the pages are at http://${hosts[0]}/ and /docs, and reload on a change.\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
await once(service, 'exit');
process.exit();
