import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { clientOf } from './support/client.ts';
import { collectEvents, startLine } from './support/events.ts';

const NAMES = ['Rëx 🐕', 'Max', 'Tom'];
const AT_A_TIME = 16;

/** How long a response with these events is. */
async function responseBytes(port: number, after: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request(`GET /v1/events?after=${after}`, `${HOST}${AUTH}Accept: text/event-stream\r\n`));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.split('\ndata: ').length > NAMES.length && text.endsWith('\n\n')) break;
  }
  return Buffer.byteLength(text);
}

describe('Events in the client', { timeout: 300_000 }, () => {
  it('are each seen exactly once, after whichever byte of the response the connection is lost', async (t) => {
    const { port, origin } = await startService(t);
    const direct = clientOf(`${origin}/v1`);
    await direct.createPet({ name: 'before', categoryId: 1 });
    const after = (await direct.listEvents({ limit: 1 })).items[0]?.id ?? '';
    for (const name of NAMES) await direct.createPet({ name, categoryId: 1 });
    const length = await responseBytes(port, after);
    let [next, reconnected] = [0, 0];
    const worker = async () => {
      while (next <= length) {
        const line = await startLine(t, port, next++);
        const { names, controller } = collectEvents(t, clientOf(line.baseUrl), { after });
        await eventuallyEqual(names, NAMES);
        controller.abort();
        if (line.connections() > 1) reconnected++;
        line.close();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    // The client's own request id makes the response a little longer or shorter.
    assert.ok(reconnected > length - 20, `${reconnected} of ${length}`);
    t.diagnostic(`${length + 1} cuts, ${reconnected} of them before the last event was complete`);
  });
});
