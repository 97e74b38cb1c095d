import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The health check of the image. There the service, or the init that started it, is process 1. */
function healthCheck(pid: number): string {
  const [, json = ''] =
    /^HEALTHCHECK .*?CMD (\[.*?\])$/ms.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  const [, , script = ''] = JSON.parse(json.replaceAll('\\\n', '')) as string[];
  return script.replace('/proc/1/', `/proc/${pid}/`);
}

describe('the health check of the image', () => {
  for (const flags of [['--port', '0'], ['--port=0'], []])
    it(`finds the port with ${flags.join(' ') || 'PORT'}`, async (t) => {
      const port = String(await freePort());
      const given = flags.map((flag) => flag.replace(/0$/, port));
      const env = { DATABASE_URL: 'sqlite::memory:', PORT: flags.length > 0 ? '1' : port };
      const service = await spawnService(t, env, [], given);
      const check = () =>
        spawnSync(process.execPath, ['-e', healthCheck(service.child.pid ?? 0)], { env: { PORT: env.PORT } });
      assert.equal(check().status, 0);
    });
});
