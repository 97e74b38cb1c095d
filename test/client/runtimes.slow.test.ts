import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it, type TestContext } from 'node:test';
import { findRuntime } from '../package/support/runtimes.ts';
import { KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { buildClient, run } from './support/build.ts';
import { errorResponse, type Gateway, startGateway } from './support/gateway.ts';

const SCENARIO = join(import.meta.dirname, 'support/scenario.js');
const TIMEOUT_MS = 120_000;
/** The client supports Node 22 and later. */
const OLD_NODE = /^v(?:1?\d|2[01])\./;

/** The programs of these names on the PATH. */
async function findPrograms(...names: string[]): Promise<string[]> {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules/.bin'));
  const paths = [...new Set(folders)].flatMap((folder) => names.map((name) => join(folder, name)));
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** The built client and the scenario in one folder. */
async function buildScenario(t: TestContext): Promise<string> {
  const folder = await buildClient(t);
  await copyFile(SCENARIO, join(folder, 'scenario.js'));
  return folder;
}

/** A new service that loses a response and is unavailable once. */
async function startShakyService(t: TestContext): Promise<Gateway> {
  const { origin } = await startService(t);
  return startGateway(t, origin, ['lose response', errorResponse(503, 'unavailable')]);
}

describe('The built client runs', { timeout: 2 * TIMEOUT_MS }, () => {
  it('on Node 22, and on every other JavaScript runtime of this machine', async (t) => {
    const folder = await buildScenario(t);
    const versions: string[] = [];
    const oldest = join(await findRuntime('22', join(await temporaryFolder(t), 'node-22')), 'node');
    for (const program of [oldest, ...(await findPrograms('node', 'bun', 'deno'))]) {
      const version = (await run(program, ['--version'])).stdout.trim().split('\n')[0] ?? '';
      if (version === process.version || versions.includes(version) || OLD_NODE.test(version)) continue;
      const gateway = await startShakyService(t);
      const main = join(folder, `main-${versions.length}.js`);
      const options = JSON.stringify({ baseUrl: gateway.baseUrl, apiKey: KEY });
      await writeFile(
        main,
        `import * as client from './index.js';\nimport { scenario } from './scenario.js';\nconsole.log(await scenario(client, ${options}));\n`,
      );
      const args = program.endsWith('deno') ? ['run', '--allow-net', main] : [main];
      const { stdout } = await run(program, args, { timeout: TIMEOUT_MS });
      assert.equal(stdout, 'passed with 5 animals\n', program);
      versions.push(version);
    }
    assert.match(versions.join(), /v22\./);
    t.diagnostic(`ran on ${versions.join(', ')}`);
  });

  it('in a browser', async (t) => {
    const [browser] = await findPrograms('chromium', 'chromium-browser', 'google-chrome');
    if (browser === undefined) return void hasTools(t, 'chromium');
    const [folder, gateway] = [await buildScenario(t), await startShakyService(t)];
    const page = `<!doctype html><pre id="result"></pre><script type="module">
      import * as client from './index.js';
      import { scenario } from './scenario.js';
      const show = (text) => fetch('/result', { method: 'POST', body: text });
      scenario(client, { baseUrl: '/v1', apiKey: '${KEY}' }).then(show, (error) => show(error.stack + error));
    </script>`;
    const { promise: result, resolve } = Promise.withResolvers<string>();
    // The page and the service have one origin, as in production.
    const server = createServer(async (request, response) => {
      const { method = '', url = '/', headers } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (url === '/result') {
        resolve(body.toString());
        response.end();
      } else if (url.startsWith('/v1/')) {
        const { host, connection, 'content-length': _, ...passedOn } = headers;
        const init = {
          method,
          headers: passedOn as Record<string, string>,
          ...(body.length > 0 && { body }),
        };
        const answer = await fetch(gateway.origin + url, init).catch(() => undefined);
        if (!answer) return void request.socket.destroy();
        const given = [...answer.headers].filter(([name]) => !/^(?:connection|keep-alive)$/.test(name));
        response.writeHead(answer.status, Object.fromEntries(given));
        if (!answer.body) return void response.end();
        await pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
      } else if (url === '/') {
        response.setHeader('content-type', 'text/html').end(page);
      } else {
        const text = await readFile(join(folder, url)).catch(() => undefined);
        response.writeHead(text ? 200 : 404, { 'content-type': 'text/javascript' }).end(text);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const profile = await temporaryFolder(t);
    const controller = new AbortController();
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
    ];
    const browsing = run(
      browser,
      [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`],
      {
        signal: controller.signal,
        timeout: TIMEOUT_MS,
      },
    );
    const ended = browsing.then(
      () => 'the browser ended',
      (error) => `the browser ended: ${error}`,
    );
    assert.equal(await Promise.race([result, ended]), 'passed with 5 animals');
    controller.abort();
    await ended;
  });
});
