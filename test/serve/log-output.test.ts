import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AUTH, converse, HOST, request } from '../support/conversation.ts';
import { spawnService } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const LOG = pathToFileURL(join(import.meta.dirname, '../../src/serve/log-output.ts')).href;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Line = Readonly<Record<string, unknown>>;

const linesIn = (output: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** Runs a program that logs, to its end; `log` and `output` are as the service has them. */
async function run(t: TestContext, program: string, pipe = ''): Promise<{ code: number; lines: Line[] }> {
  const file = join(await temporaryFolder(t), 'program.ts');
  const begin = `import { createLog } from '${LOG}';\nconst { log, output } = await createLog();\n`;
  await writeFile(file, begin + program);
  const command = `'${process.execPath}' '${file}' ${pipe}`;
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  assert.ok(printed.endsWith('}\n'), 'the last line is whole');
  return { code: code as number, lines: linesIn(printed) };
}

const numbers = (lines: readonly Line[]) => lines.map(({ n }) => n);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the log on standard output', { concurrency: 2, timeout: 60_000 }, () => {
  it('has every line that was written before the process ends, in their order', async (t) => {
    // Both ways into the log, in one turn, and more of them than are written at once.
    const program = `for (let n = 0; n < 3000; n++) {
      if (n % 2) log.info({ n });
      else output.write(JSON.stringify({ n }) + '\\n');
    }\n`;
    for (const [end, code] of [
      ['', 0],
      ['process.exit(3)', 3],
      ["throw new Error('on purpose')", 1],
    ] as const) {
      const ended = await run(t, program + end);
      assert.equal(ended.code, code);
      assert.deepEqual(numbers(ended.lines), upTo(3000), end);
    }
  });

  it('has a line whole that is longer than what is written at once', async (t) => {
    const { lines } = await run(t, "for (const n of [0, 1, 2]) log.info({ n, long: 'x'.repeat(200_000) });");
    assert.deepEqual(numbers(lines), [0, 1, 2]);
    assert.deepEqual(
      lines.map(({ long }) => String(long).length),
      [200_000, 200_000, 200_000],
    );
  });

  it('has every line whole also when several workers write to it at once, faster than it is read', async (t) => {
    const { lines } = await run(
      t,
      `import cluster from 'node:cluster';
      if (cluster.isPrimary) for (let i = 0; i < 3; i++) cluster.fork();
      else {
        const by = cluster.worker.id;
        for (let turn = 0; turn < 10; turn++) {
          for (let n = 0; n < 400; n++) output.write(JSON.stringify({ n: turn * 400 + n, by, x: 'x'.repeat(150) }) + '\\n');
          await new Promise(setImmediate);
        }
        cluster.worker.disconnect();
      }`,
      '| (sleep 1; cat)',
    );
    for (const worker of [1, 2, 3]) {
      assert.deepEqual(numbers(lines.filter(({ by }) => by === worker)), upTo(4000));
    }
  });

  it('has one line for every request of a burst, by the lane or not, also when the service leaves at once', async (t) => {
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
    const { socket, send, next } = converse(service.port);
    const ids = upTo(600).map((n) => `request-${n}`);
    send(
      ids
        .map((id, n) => {
          const prefer = n % 2 === 0 ? '' : 'Prefer: respond-async\r\n';
          return request(
            n % 3 === 0 ? 'GET /v1/pets/7' : 'GET /v1/pets',
            `${HOST}${AUTH}X-Request-Id: ${id}\r\n${prefer}`,
          );
        })
        .join(''),
    );
    for (const id of ids) assert.equal((await next()).headers['x-request-id'], id);
    socket.end();
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    while (!/"leaving"/.test(service.output.stdout)) await sleep(10);
    const lines = linesIn(service.output.stdout).filter(({ msg }) => msg === 'request');
    const numbered = lines.map(({ requestId, ...line }) => ({ n: ids.indexOf(String(requestId)), ...line }));
    numbered.sort((a, b) => a.n - b.n);
    assert.deepEqual(numbers(numbered), upTo(600));
    for (const { n, time, ms, keyId, ...line } of numbered as Record<string, unknown>[]) {
      const [operation, status] = Number(n) % 3 === 0 ? ['getPet', 404] : ['listPets', 200];
      assert.deepEqual(line, { level: 30, operation, method: 'GET', status, msg: 'request' });
      assert.match(String(time), ISO);
      assert.equal(typeof ms, 'number');
      assert.match(String(keyId), /^env-[0-9a-f]{8}$/);
    }
  });
});
