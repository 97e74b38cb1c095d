import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/service.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/serve/cluster/remote-commit.ts')).href;

/** A worker whose primary is this process. It commits batches of this size until one is refused, and reports that. */
async function startWorker(t: TestContext, bytes: number): Promise<ChildProcess> {
  const file = join(await temporaryFolder(t), 'worker.ts');
  const program = `import { commitThroughPrimary } from '${MODULE}';
    const commit = commitThroughPrimary();
    let outcomes = 0;
    let ends = 0;
    const fill = () => {
      for (let sent = 0; ; sent++) {
        try {
          commit([{ method: 'createPet', args: ['x'.repeat(${bytes}), 7n] }]).then(() => {
            outcomes++;
            if (outcomes === 1) fill();
          }, () => ends++);
        } catch (error) {
          process.send({ sent, code: error.code, message: error.message });
          return;
        }
      }
    };
    process.once('disconnect', () => setImmediate(() => process.exit(commit([]) === undefined ? ends % 256 : 255)));
    fill();\n`;
  await writeFile(file, program);
  const worker = fork(file, { serialization: 'advanced' });
  t.after(() => worker.kill('SIGKILL'));
  return worker;
}

interface Refused {
  readonly sent: number;
  readonly code: string;
  readonly message: string;
}

/** Resolves when the worker reports a refused batch. Batches are received, but not answered. */
const refusal = (worker: ChildProcess): Promise<Refused> =>
  new Promise((resolve) => {
    worker.on('message', (message: Refused | { id: number }) => 'sent' in message && resolve(message));
  });

describe('commits through the primary', { timeout: 60_000 }, () => {
  for (const [what, bytes, most] of [
    ['number', 10, 1000],
    ['bytes', 1024 * 1024, 15],
  ] as const) {
    it(`are bounded in ${what} while the primary does not respond, and continue when it does`, async (t) => {
      const worker = await startWorker(t, bytes);
      const { sent, code, message } = await refusal(worker);
      assert.deepEqual([sent, code], [most, 'unavailable']);
      assert.match(message, /nothing was written/);
      const next = refusal(worker);
      worker.send({ id: 1, outcome: [] });
      assert.equal((await next).sent, 1, 'there is room for one more');
      worker.disconnect();
      const [exitCode] = await once(worker, 'exit');
      assert.equal(exitCode, most % 256, 'every other batch was rejected when the primary ended');
    });
  }
});
