import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch } from '../../support/service/launch.ts';
import { call, temporaryFolder } from '../../support/service/service.ts';
import { isWholeModule } from '../../support/whole-module.ts';
import { runOrFail } from './commands.ts';
import { ROOT } from './package.ts';
import { withNode } from './runtimes.ts';

const SCENARIO = pathToFileURL(join(ROOT, 'test/client/support/scenario.js')).href;

/** Starts a command that serves, in `cwd`, with the Node of the folder `node`. The data is in a folder of its own. */
export async function serve(t: TestContext, command: readonly string[], cwd: string, node: string) {
  const data = await temporaryFolder(t);
  const env = { ...withNode(node), PORT: '0', DATABASE_URL: `sqlite:${join(data, 'pets.db')}` };
  const { child, printed, ended, output } = launch(t, command, { cwd, env });
  const [, origin = ''] = await printed(/listens on (http:\/\/[^/]+)\/v1/);
  const stop = async () => {
    // As a container does: npm and the service receive the signal.
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended();
    assert.deepEqual(await readdir(data), ['pets.db'], `the database was closed: ${output()}`);
  };
  return { origin, env, output, stop };
}

/** Runs the test scenario of the client with the client that is installed in `folder`. The store must be empty. */
export function runClient(folder: string, origin: string, apiKey: string, node: string): Promise<string> {
  const program = `import * as client from 'animal-store/client';
    import { scenario } from ${JSON.stringify(SCENARIO)};
    console.log(await scenario(client, ${JSON.stringify({ baseUrl: `${origin}/v1`, apiKey })}));`;
  return runOrFail([join(node, 'node'), '--input-type=module', '-e', program], { cwd: folder });
}

/** Loads the page, and the scripts that it names. */
export async function assertPageLoads(origin: string, path: string): Promise<void> {
  const page = await call(origin, 'GET', path, { key: null });
  assert.equal(page.status, 200, path);
  const scripts = [...page.text.matchAll(/"(assets\/[^"]+\.js)"/g)];
  assert.equal(scripts.length, 2, page.text);
  for (const [, script = ''] of scripts) {
    const { status, text } = await call(origin, 'GET', `/${script}`, { key: null });
    assert.equal(status, 200, script);
    assert.ok(isWholeModule(text), `${script} is whole`);
  }
}
