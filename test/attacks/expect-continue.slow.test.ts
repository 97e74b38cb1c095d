import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, converse, HOST } from '../support/wire/conversation.ts';

const PET = '{"name":"Rex","categoryId":7}';
const LENGTH = `Content-Length: ${PET.length}\r\n`;
const EXPECT = 'Expect: 100-continue\r\n';
const head = (version: string, headers = HOST + AUTH + LENGTH + EXPECT) =>
  `POST /v1/pets HTTP/${version}\r\n${headers}\r\n`;

/** Long enough for a response that must not be sent to arrive. */
const SETTLED_MS = 300;

describe('Expect: 100-continue', { timeout: 60_000 }, () => {
  it('never gets 100 in HTTP/1.0, which does not support it', async (t) => {
    const { port } = await startAttackedService(t);
    const { send, rest } = converse(port);
    const answers = rest();
    send(head('1.0'));
    await sleep(SETTLED_MS);
    send(PET);
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      [201],
    );
  });

  it('gets 100 in HTTP/1.1, and then the response', async (t) => {
    const { port } = await startAttackedService(t);
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    for (const _ of [1, 2]) {
      send(head('1.1'));
      assert.equal((await next()).status, 100);
      send(PET);
      assert.equal((await next()).status, 201);
    }
  });

  for (const { what, headers, status } of [
    { what: 'no key', headers: HOST + LENGTH + EXPECT, status: 401 },
    {
      what: 'another media type',
      headers: `${HOST}${AUTH}${LENGTH}${EXPECT}Content-Type: a/b\r\n`,
      status: 415,
    },
    {
      what: 'a body that is too large',
      headers: `${HOST}${AUTH}${EXPECT}Content-Length: 65537\r\n`,
      status: 413,
    },
    { what: 'another expectation', headers: `${HOST}${AUTH}${LENGTH}Expect: tea\r\n`, status: 417 },
  ]) {
    it(`does not get 100 when the request is refused: ${what}`, async (t) => {
      const { port } = await startAttackedService(t);
      const { socket, send, next } = converse(port);
      t.after(() => socket.destroy());
      send(head('1.1', headers));
      assert.equal((await next()).status, status);
    });
  }

  it('gets no 100 when the body has already arrived', async (t) => {
    const { port } = await startAttackedService(t);
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    send(head('1.1') + PET);
    const first = await next();
    assert.equal(first.status === 100 ? (await next()).status : first.status, 201);
  });
});
