import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPet } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import { ESCAPED_NAME, LONG_PAGE } from '../../support/database/long-names.ts';
import { followRequest, openStreams } from '../../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../../support/wire/conversation.ts';
import { fillKernel, sizeOfAnswer } from '../../support/wire/fill-kernel.ts';

const PET = '{"name":"Rex","categoryId":7}';
const CREATE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`, PET);

/** A service that counts creates, and holds them back until they are released. */
const held = { creates: 0, ...Promise.withResolvers<void>() };
const service = await startServiceForFile({
  observe: (store) =>
    Object.assign(Object.create(store) as Store, {
      async createPet(...args: Parameters<Store['createPet']>) {
        held.creates++;
        await held.promise;
        return store.createPet(...args);
      },
    }),
});

const outcome = async ({ rest }: Conversation) =>
  (await rest()).map(({ status, headers }) => [status, headers.connection]);

describe('what follows a request that is not answered yet', { timeout: 60_000 }, () => {
  for (const [what, follows] of Object.entries({
    '39 creates': CREATE.repeat(39),
    'a request with too many headers': request('GET /v1/pets', HOST + 'x: y\r\n'.repeat(250)),
    'a request and one for another protocol':
      request('GET /healthz', HOST) +
      request('GET /healthz', `${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n`),
    'what is not HTTP': 'nonsense\r\n\r\n',
    CONNECT: request('CONNECT animal.store:443'),
  }))
    for (const isLate of [false, true])
      it(`is not executed, and the answer says that it is the last: ${what}${isLate ? ', in another packet' : ''}`, async () => {
        Object.assign(held, { creates: 0, ...Promise.withResolvers<void>() });
        const client = converse(service.port);
        client.send(isLate ? CREATE : CREATE + follows);
        await eventually(() => held.creates > 0, 'the first request is being answered');
        if (isLate) client.send(follows);
        await sleep(50);
        held.resolve();
        assert.deepEqual(await outcome(client), [[201, 'close']]);
        assert.equal(held.creates, 1);
      });

  it('is not executed either if the head of the answer has left: the connection ends with it', async () => {
    const pet: NewPet = { name: ESCAPED_NAME, categoryId: 7n, status: 'available' };
    await service.store.createPets(Array(100).fill(pet));
    const { creates } = held;
    const client = converse(service.port);
    client.socket.pause();
    await fillKernel(client.socket, service.port, LONG_PAGE, await sizeOfAnswer(service.port, LONG_PAGE));
    client.send(CREATE);
    const answers = await outcome(client);
    assert.deepEqual(answers.at(-1), [200, 'keep-alive']);
    assert.equal(held.creates, creates);
  });

  const CHUNK = `${request('POST /v1/pets', `${HOST}Transfer-Encoding: chunked\r\n`)}1\r\na\r\n`;
  for (const follows of ['nonsense\r\n\r\n', request('CONNECT animal.store:443'), CHUNK])
    it(`does not disturb a stream of events, which ends when its client leaves: ${JSON.stringify(follows)}`, async () => {
      const { socket, send } = converse(service.port);
      socket.on('error', () => {});
      send(followRequest() + follows);
      await eventuallyEqual(() => openStreams(service), 1);
      socket.destroy();
      await eventuallyEqual(() => openStreams(service), 0);
    });
});
