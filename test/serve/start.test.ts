import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { UsageError } from '../../src/config.ts';
import { limits } from '../../src/contract/limits.ts';
import { createLog } from '../../src/log.ts';
import { connectionRoom } from '../../src/serve/connection-room.ts';

const SERVICE = new URL('../../src/serve/serve.ts', import.meta.url);

/** The result with this limit of open files, of which so many are open, and what is logged. */
function roomWith(limit: number, open: number) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line)) });
  return { room: connectionRoom(log, limit, open), lines };
}

describe('The number of connections', () => {
  it('is that of the limits of the service if enough files may be open', () => {
    for (const limit of [Number.POSITIVE_INFINITY, 65_536])
      assert.deepEqual(roomWith(limit, 30), { room: limits.connections, lines: [] });
  });

  it('leaves room for the files of the service, and the log says so', () => {
    for (const [limit, open] of [
      [1024, 30],
      [100, 30],
    ] as const) {
      const { room, lines } = roomWith(limit, open);
      assert.ok(room > 0 && room < limit - open, `${room} of ${limit}`);
      const [line, ...more] = lines;
      assert.deepEqual([line?.level, line?.connections, more], [40, room, []]);
    }
  });

  it('is never so small that no client is served: the service does not start', () => {
    for (const limit of [30, 40, 60])
      assert.throws(
        () => roomWith(limit, 30),
        (error) =>
          error instanceof UsageError && /^the limit of \d+ open files .* ulimit -n/.test(error.message),
      );
  });

  it('is found by itself on this machine', () => {
    assert.ok(connectionRoom(createLog({ write: () => {} })) > 0);
  });
});

describe('the code of the service', () => {
  it('does not load the HTTP client of Node, which would cost every process 16 MB and every start 70 ms', () => {
    const script = `await import('${SERVICE}'); console.log(JSON.stringify(process.moduleLoadList));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const modules: string[] = JSON.parse(loaded);
    assert.ok(modules.some((name) => name.includes('_http_server')));
    assert.deepEqual(
      modules.filter((name) => name.includes('undici')),
      [],
    );
  });
});
