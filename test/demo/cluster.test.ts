import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ClientRecord } from '../../demo/cluster/record.ts';
import { haproxyConfigFor } from '../../demo/cluster/topology.ts';
import { compareWithEvents, compareWithStored, eventKey, type Stored } from '../../demo/cluster/verify.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const MAIN = join(import.meta.dirname, '../../demo/cluster/main.ts');

describe('npm run demo:cluster', () => {
  it('says in one line which Debian packages are missing, and exits with 2', async (t) => {
    const env = { PATH: await temporaryFolder(t) };
    const { status, stderr, stdout } = spawnSync(process.execPath, [MAIN], { env, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]+ On Debian: apt-get install patroni etcd-server[^\n]*\n$/);
    assert.equal(stdout, '');
  });

  it('runs HAProxy with deploy/haproxy.cfg, for two instances that it checks and without TLS', async (t) => {
    if (!hasTools(t, 'haproxy')) return;
    const file = join(await temporaryFolder(t), 'haproxy.cfg');
    const config = await haproxyConfigFor(7000, 7001, 7002);
    writeFileSync(file, config);
    const { status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(
      config,
      /bind 127\.0\.0\.1:7000\n[\s\S]*\n +option httpchk GET \/readyz\n[\s\S]*:7001\n +server b [^\n]*:7002\n/,
    );
  });

  it('refuses an unknown argument in one line', () => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, '--fast'], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]*--fast[^\n]*\n$/);
  });
});

describe('What the demonstration counts', () => {
  const stored: Stored = {
    pets: [
      { id: '1', name: 'Ada', status: 'pending' },
      { id: '2', name: 'Bob', status: 'available' },
    ],
    orders: [{ id: '7', petId: '1' }],
  };

  /** Ada was created and ordered in the first phase, Bob created in the second one. */
  function recordTwo(): ClientRecord {
    const record = new ClientRecord('first');
    record.ordered(record.created(1n, 'Ada'), 7n);
    record.begin('second');
    record.created(2n, 'Bob');
    return record;
  }

  /** Lost and doubled, in the first and in the second phase. */
  function counted(rows: Partial<Stored>, record = recordTwo()): number[] {
    compareWithStored(record, { ...stored, ...rows });
    return record.phases.flatMap(({ lost, doubled }) => [lost, doubled]);
  }

  const [ada, bob] = stored.pets as [Stored['pets'][number], Stored['pets'][number]];
  const cases: Record<string, [rows: Partial<Stored>, expected: number[]]> = {
    'nothing when everything acknowledged is stored once': [{}, [0, 0, 0, 0]],
    'an animal that is gone, in the phase that acknowledged it': [{ pets: [ada] }, [0, 0, 1, 0]],
    'an animal that is stored under another id': [{ pets: [ada, { ...bob, id: '3' }] }, [0, 0, 1, 0]],
    'an animal that is stored twice': [{ pets: [ada, bob, { ...bob, id: '3' }] }, [0, 0, 0, 1]],
    'an order that is gone': [{ orders: [] }, [1, 0, 0, 0]],
    'an order whose animal is available again': [
      { pets: [{ ...ada, status: 'available' }, bob] },
      [1, 0, 0, 0],
    ],
    'an animal that is sold twice': [{ orders: [...stored.orders, { id: '8', petId: '1' }] }, [0, 1, 0, 0]],
  };
  for (const [what, [rows, expected]] of Object.entries(cases))
    it(`is ${what}`, () => assert.deepEqual(counted(rows), expected));

  it('is an animal that is sold twice by its answers', () => {
    const record = recordTwo();
    record.ordered(record.pets[0] ?? assert.fail(), 8n);
    assert.deepEqual(counted({}, record), [0, 0, 0, 1]);
  });

  it('is an event that is missing from the stream, and one that came twice', () => {
    const received = new Map([
      [eventKey('pet.created', 1n), 1],
      [eventKey('order.placed', 7n), 1],
      [eventKey('pet.created', 2n), 1],
    ]);
    assert.deepEqual(compareWithEvents(recordTwo(), received), { received: 3, missing: 0, doubled: 0 });
    received.set(eventKey('order.placed', 7n), 2);
    received.delete(eventKey('pet.created', 2n));
    assert.deepEqual(compareWithEvents(recordTwo(), received), { received: 3, missing: 1, doubled: 1 });
  });
});
