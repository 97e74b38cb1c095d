import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

const SERVICE = new URL('../../src/serve/serve.ts', import.meta.url);

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
