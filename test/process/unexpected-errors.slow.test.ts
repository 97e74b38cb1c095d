import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { spawnService } from '../support/service/process.ts';

const errors = {
  'an exception': 'throw new Error(`on purpose`)',
  'an unhandled rejection': 'void Promise.reject(new Error(`on purpose`))',
};

/** Makes a process fail when it receives SIGUSR2. */
const failOnSignal = (code: string) => ({
  NODE_OPTIONS: `--import="data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(code)}})"`,
});

type Line = Readonly<Record<string, unknown>>;

function assertStack(line: Line | undefined): void {
  assert.ok(line, 'the error is in the log');
  const { message, stack } = line.err as { message: string; stack: string };
  assert.deepEqual([line.level, message], [50, 'on purpose']);
  assert.match(stack, /^Error: on purpose\n +at /);
}

describe('an unexpected error', { concurrency: 2, timeout: 60_000 }, () => {
  for (const [what, code] of Object.entries(errors)) {
    it(`is logged with its stack before the process exits with 1: ${what}`, async (t) => {
      const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:', ...failOnSignal(code) });
      const closed = once(service.child, 'close');
      service.child.kill('SIGUSR2');
      assert.equal(await service.exited, 1);
      await closed;
      const lines = service.output.stdout.trimEnd().split('\n');
      assertStack(JSON.parse(lines.at(-1) ?? '') as Line);
      assert.equal(service.errors(), '');
    });
  }

  it('is printed to standard error when the log cannot be written', async (t) => {
    const env = { DATABASE_URL: 'sqlite::memory:', ...failOnSignal(errors['an exception']) };
    const service = await spawnService(t, env, ['sh', '-c', 'exec "$@" > /dev/full', 'sh']);
    const closed = once(service.child, 'close');
    service.child.kill('SIGUSR2');
    assert.equal(await service.exited, 1);
    await closed;
    assert.match(service.errors(), /^animal-store: unexpected error: Error: on purpose\n +at /);
  });
});
