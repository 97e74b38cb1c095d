import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLongNamedPets, ESCAPED_NAME, LONG_PAGE } from '../../support/database/long-names.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { AUTH, HOST, inOneTick, request } from '../../support/wire/conversation.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

const get = (target: string, id = ''): string =>
  request(`GET ${target}`, `${HOST}${AUTH}${id && `X-Request-Id: ${id}\r\n`}`);

const post = (target: string, value: unknown, id = ''): string => {
  const body = JSON.stringify(value);
  const head = `${HOST}${AUTH}Content-Length: ${body.length}\r\n${id && `X-Request-Id: ${id}\r\n`}`;
  return request(`POST ${target}`, head, body);
};

const petNamed = (name: string) => ({ name, categoryId: 7 });

const statuses = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status);

/** The logged errors. */
const faults = ({ log }: Service) => log.filter(({ level }) => Number(level) >= 50);

describe('requests that arrive in one tick', { timeout: 60_000 }, () => {
  it('each get their own response, on hundreds of connections', async (t) => {
    const service = await startService(t);
    const ids = Array.from({ length: 300 }, (_, n) => `request-${n}`);
    const creates = await inOneTick(
      service.port,
      ids.map((id) => post('/v1/pets', petNamed(`the pet of ${id}`), id)),
    );
    const pets = creates.map(({ status, headers, body }, n) => {
      assert.deepEqual([status, headers['x-request-id']], [201, ids[n]]);
      const pet = JSON.parse(body) as { id: number; name: string };
      assert.equal(pet.name, `the pet of ${ids[n]}`);
      return pet;
    });
    assert.equal(new Set(pets.map(({ id }) => id)).size, ids.length);

    const expected = pets.map((pet) => JSON.stringify({ ...pet, status: 'available' }));
    const reads = pets.map(({ id }, n) =>
      n % 3 === 0 ? get(`/v1/pets?id=${id}`, ids[n]) : get(`/v1/pets/${id}`, ids[n]),
    );
    for (const [n, { headers, body }] of (await inOneTick(service.port, reads)).entries()) {
      assert.equal(headers['x-request-id'], ids[n]);
      assert.equal(body, n % 3 === 0 ? `[${expected[n]}]` : expected[n]);
    }
  });

  it('get all answers, even if these are large together', async (t) => {
    const service = await startService(t);
    await createLongNamedPets(service.port, ESCAPED_NAME);
    for (const _ of 'twice')
      assert.deepEqual(
        statuses(await inOneTick(service.port, Array(20).fill(LONG_PAGE))),
        Array(20).fill(200),
      );
  });

  it('do no harm when their clients disconnect before the response', async (t) => {
    const service = await startService(t);
    const sent = [post('/v1/pets', petNamed('Rex')), get('/v1/pets'), get('/v1/pets/1'), 'garbage\r\n\r\n'];
    for (let n = 0; n < 80; n++) {
      const socket = connect(service.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(sent.slice(0, 1 + (n % 4)).join(''));
      if (n % 3 === 0) await sleep(1);
      socket.resetAndDestroy();
    }
    assert.equal((await service.call('POST', '/v1/pets', { body: petNamed('last') })).status, 201);
    assert.match((await service.call('GET', '/v1/pets')).text, /"last"/);
    assert.deepEqual(faults(service), []);
  });
});
