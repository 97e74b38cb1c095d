import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventId } from '../../../src/contract/event-id.ts';
import { assertError } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { KEY } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, HOST, request } from '../../support/wire/conversation.ts';
import { createPet } from './support.ts';

const ACCEPT = 'Accept: text/event-stream\r\n';

describe('A request for a stream of events', async () => {
  const service = await startServiceForFile();
  const { port } = service;

  it('refuses what it cannot follow before the stream begins', async (t) => {
    const unknown = eventId({ id: 10n ** 15n, at: new Date() });
    const open = async (query: string, headers = '') =>
      (await openStream(t, port, { query, headers })).answer;
    assertError(await open(`?after=${unknown}`), 410, 'cursor_expired');
    assertError(await open('', `Last-Event-ID: ${unknown}\r\n`), 410, 'cursor_expired');
    assert.match(assertError(await open('?after=1'), 400, 'invalid_parameter'), /^after /);
    assert.match(
      assertError(await open('', 'Last-Event-ID: 1\r\n'), 400, 'invalid_parameter'),
      /^Last-Event-ID /,
    );
    assertError(await open('?petId=rex'), 400, 'invalid_parameter');
    const { answer } = await openStream(t, port, { head: HOST });
    assertError(answer, 401, 'unauthorized');
  });

  it('is what a client gets that names the type and does not prefer JSON', async (t) => {
    const isStream = async (accept: string) => {
      const controller = new AbortController();
      const response = await fetch(`${service.origin}/v1/events`, {
        headers: { accept, authorization: `Bearer ${KEY}` },
        signal: controller.signal,
      });
      controller.abort();
      assert.equal(response.headers.get('vary'), 'Accept');
      return response.headers.get('content-type') === 'text/event-stream';
    };
    const expected: Record<string, boolean> = {
      'text/event-stream': true,
      'TEXT/Event-Stream ; charset=utf-8': true,
      'text/event-stream, */*': true,
      'text/html;q=0.9, text/event-stream;q=0.5': true,
      'application/json;q=0.5, text/event-stream;q=0.6': true,
      'application/json, text/event-stream': false,
      'application/json;q=0.7, text/event-stream;q=0.6': false,
      'text/event-stream;q=0.5, */*': false,
      'text/event-stream;q=0': false,
      'text/event-stream;q=0, application/json;q=0': false,
      '*/*': false,
      'text/*': false,
      'text/html': false,
    };
    for (const [accept, stream] of Object.entries(expected))
      assert.equal(await isStream(accept), stream, accept);
    t.diagnostic(`${Object.keys(expected).length} headers`);
  });

  it('answers HEAD without a body', async (t) => {
    const bytes = request('HEAD /v1/events', `${HOST}${AUTH}${ACCEPT}`);
    const get = await openStream(t, port);
    const { answer, text, socket } = await openStream(t, port, { bytes });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], 'text/event-stream');
    await createPet(service);
    await get.received(1);
    assert.equal(text(), '');
    socket.destroy();
  });

  it('works for HTTP/1.0', async (t) => {
    const bytes = `GET /v1/events HTTP/1.0\r\n${AUTH}${ACCEPT}\r\n`;
    const { answer, received } = await openStream(t, port, { bytes });
    assert.equal(answer.headers['transfer-encoding'], undefined);
    const { text } = await createPet(service);
    const [frame] = await received(1);
    assert.ok(frame?.data.includes(text), text);
  });
});
