import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { launchService, MAIN } from '../support/service/launch.ts';
import { animalStore } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { KEY, newDatabase, stop } from './support/served.ts';

const LISTENS = / listens on (http:\/\/[^/\n]+)\/v1$/m;
const HINT = /^No client can call the service: there is no valid API key\. Create one:\n\n {2}(.*)\n$/m;

describe('animal-store serve', { concurrency: 2 }, () => {
  it('says how to create a key when it starts on a store with animals and without a valid key', async (t) => {
    const env = await newDatabase(t);
    await animalStore(['seed', '1', '--create'], env);
    const service = launchService(t, [], { env });
    const [, origin = ''] = await service.printed(LISTENS);
    assert.doesNotMatch(
      service.output(),
      /anst_|curl/,
      'none is created: it may lack the API_KEYS of the shop',
    );
    const [, command = ''] = HINT.exec(service.output()) ?? [];
    const line = command.replace('animal-store', `"${process.execPath}" "${MAIN}"`);
    const created = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    const [key = ''] = KEY.exec(created.stdout) ?? [];
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200, created.stderr);
    await stop(service);

    const printsHint = async (more: Record<string, string> = {}) => {
      const again = launchService(t, [], { env: { ...env, ...more } });
      await again.printed(LISTENS);
      return HINT.test(await stop(again));
    };
    assert.equal(await printsHint(), false, 'there is a key');
    await animalStore(['keys', 'revoke', '1'], env);
    assert.equal(await printsHint(), true, 'the only key is revoked');
    assert.equal(
      await printsHint({ API_KEYS: 'a-configured-key-of-the-shop' }),
      false,
      'a key is configured',
    );
  });

  it('shows the first key of a new store once, and no other process that starts at once says that there is none', async (t) => {
    const env = await newDatabase(t);
    const services = [1, 2, 3].map(() => launchService(t, [], { env }));
    for (const service of services) await service.printed(LISTENS);
    const outputs = await Promise.all(services.map(stop));
    assert.equal(outputs.filter((output) => KEY.test(output)).length, 1);
    assert.deepEqual(
      outputs.filter((output) => HINT.test(output)),
      [],
    );
  });
});
