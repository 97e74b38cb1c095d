import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { type Launched, launch } from '../support/service/launch.ts';
import { spawnService } from '../support/service/process.ts';
import { call, KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { ROOT } from './support/build.ts';
import { startLine } from './support/events.ts';
import { errorResponse, startGateway } from './support/gateway.ts';

const EXAMPLE = /^```python\n(.*?)^```$/gms;
const NAMES = ['animal_store', 'changes', 'lists', 'events'] as const;
const ADDRESS = 'http://127.0.0.1:8080/v1';

const several = (name: string, count: number): string[] => Array.from({ length: count }, () => name);
const addPet = async (origin: string, name: string): Promise<void> => {
  assert.equal((await call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 7 } })).status, 201);
};

describe('docs/python.md', { timeout: 300_000 }, () => {
  const examples = new Map<string, string>();
  before(async () => {
    const page = await readFile(join(ROOT, 'docs/python.md'), 'utf8');
    const found = [...page.matchAll(EXAMPLE)].map(([, code = '']) => code);
    assert.equal(found.length, NAMES.length);
    for (const [index, name] of NAMES.entries()) examples.set(name, found[index] ?? '');
  });

  /** The examples as files, for a service at this address. */
  async function programsFor(t: TestContext, baseUrl: string): Promise<string> {
    const folder = await temporaryFolder(t);
    for (const [name, code] of examples)
      await writeFile(join(folder, `${name}.py`), code.replace(ADDRESS, baseUrl));
    return folder;
  }

  const start = (t: TestContext, folder: string, name: (typeof NAMES)[number]): Launched =>
    launch(t, ['python3', `${name}.py`], { cwd: folder, env: { API_KEY: KEY } });

  async function stop({ child }: Launched): Promise<void> {
    child.kill();
    await once(child, 'exit');
  }

  it('makes each change once, although connections are cut after the request was sent', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const service = await startService(t);
    const gateway = await startGateway(t, service.origin, [
      'lose response',
      errorResponse(503, 'unavailable', { 'retry-after': '1' }),
      'truncate response',
      'lose request',
      'forward',
      'lose response',
      'truncate headers',
    ]);
    const program = start(t, await programsFor(t, gateway.baseUrl), 'changes');
    assert.equal((await program.ended()).code, 0, program.output());
    assert.equal(program.output(), '1 Rex available\n');
    const keys = gateway.requests.map(({ headers }) => headers['idempotency-key'] ?? 'none');
    assert.deepEqual(keys, [...several(String(keys[0]), 5), ...several(String(keys[5]), 3)]);
    const events = (await service.call('GET', '/v1/events')).json as { type: string }[];
    assert.deepEqual(
      events.map(({ type }) => type),
      ['pet.created', 'pet.updated'],
    );
  });

  it('raises what the service refuses, at once', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const { origin } = await startService(t);
    const gateway = await startGateway(t, origin, []);
    const program = launch(t, ['python3', 'events.py'], {
      cwd: await programsFor(t, gateway.baseUrl),
      env: { API_KEY: 'wrong' },
    });
    assert.equal((await program.ended()).code, 1);
    assert.match(program.output(), /animal_store\.StoreError: 401 unauthorized: /);
    assert.equal(gateway.requests.length, 1);
  });

  it('does not follow a redirect, which would turn a create into a list', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const { origin } = await startService(t);
    const redirect = { status: 301, headers: { location: `${origin}/v1/pets` }, body: '' };
    const gateway = await startGateway(t, origin, [redirect]);
    // A slash at the end of the address does no harm.
    const program = start(t, await programsFor(t, `${gateway.baseUrl}/`), 'changes');
    assert.equal((await program.ended()).code, 1);
    assert.match(program.output(), /animal_store\.StoreError: 301 unexpected_response: /);
    assert.deepEqual(
      gateway.requests.map(({ path }) => path),
      ['/v1/pets'],
    );
  });

  it('reads every page of a search, past an empty one', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const page = (pets: object[], next?: number) => ({
      status: 200,
      headers: next === undefined ? {} : { link: `<?cursor=${next}>; rel="next"` },
      body: JSON.stringify(pets),
    });
    const rex = { id: 2, name: 'Rex', categoryId: 7, status: 'available' };
    const gateway = await startGateway(t, '', [page([rex], 1), page([], 2), page([{ ...rex, id: 1 }])]);
    const program = start(t, await programsFor(t, gateway.baseUrl), 'lists');
    assert.equal((await program.ended()).code, 0, program.output());
    assert.equal(program.output(), '2 Rex\n1 Rex\n');
    assert.equal(gateway.requests.length, 3);
  });

  it('follows events across a crash of the service and a restart of the program, each of them once', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const file = join(await temporaryFolder(t), 'pets.db');
    const env = { DATABASE_URL: `sqlite:${file}`, PORT: `${await freePort()}` };
    const first = await spawnService(t, env);
    const folder = await programsFor(t, `${first.origin}/v1`);
    const program = start(t, folder, 'events');
    await addPet(first.origin, 'Ada');
    await program.printed(/Ada\n/);
    await addPet(first.origin, 'Bo');
    await program.printed(/Bo\n/);
    first.child.kill('SIGKILL');
    await first.exited;
    const second = await spawnService(t, env);
    await addPet(second.origin, 'Cleo');
    await program.printed(/Cleo\n/);
    const { id } = ((await call(second.origin, 'GET', '/v1/events')).json as { id: string }[])[2] ?? {};
    await eventuallyEqual(() => readFile(join(folder, 'last-event-id'), 'utf8'), id ?? 'no event');
    await stop(program);
    assert.equal(program.output(), 'pet.created Ada\npet.created Bo\npet.created Cleo\n');

    await addPet(second.origin, 'Dora');
    const again = start(t, folder, 'events');
    await again.printed(/Dora\n/);
    await addPet(second.origin, 'Eve');
    await again.printed(/Eve\n/);
    await stop(again);
    assert.equal(again.output(), 'pet.created Dora\npet.created Eve\n');
  });

  it('is not confused by an event that is cut in the middle', async (t) => {
    if (!hasTools(t, 'python3')) return;
    const service = await startService(t);
    await addPet(service.origin, 'Ada');
    const [{ id: after }] = (await service.call('GET', '/v1/events')).json as [{ id: string }];
    await addPet(service.origin, 'Bo');
    const whole = await streamLength(service.port, after);
    // Two line ends and a brace from the end.
    for (const missing of [2, 3, 40]) {
      const line = await startLine(t, service.port, whole - missing);
      const folder = await programsFor(t, line.baseUrl);
      await writeFile(join(folder, 'last-event-id'), after);
      const program = start(t, folder, 'events');
      await program.printed(/Bo\n/);
      await stop(program);
      assert.equal(program.output(), 'pet.created Bo\n', `${missing} bytes are missing`);
      assert.equal(line.connections(), 2);
    }
  });
});

/** How many bytes the service sends up to the end of the event after this one. */
async function streamLength(port: number, after: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\nAccept: text/event-stream\r\nLast-Event-ID: ${after}\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (/^data:.*\n\n$/m.test(Buffer.concat(chunks).toString())) break;
  }
  socket.destroy();
  return Buffer.concat(chunks).length;
}
