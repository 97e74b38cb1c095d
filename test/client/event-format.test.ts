import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventParser, type ServerSentEvent } from '../../src/client/event-parser.ts';
import { clientOf, failureOf } from './support/client.ts';

const parse = (...parts: (string | Uint8Array)[]): ServerSentEvent[] => {
  const parser = new EventParser();
  return parts.flatMap((part) => [...parser.push(typeof part === 'string' ? Buffer.from(part) : part)]);
};

const PLAIN =
  'retry: 1000\n\n:\n\nid: a\nevent: pet.created\ndata: {"name":"Rëx 🐕"}\n\nid: b\ndata: {"n":2}\n\n';
const EXPECTED = [
  { id: 'a', data: '{"name":"Rëx 🐕"}' },
  { id: 'b', data: '{"n":2}' },
];

describe('Server-sent events in the client', () => {
  for (const [name, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    const bytes = Buffer.from(PLAIN.replaceAll('\n', end));

    it(`are read with ${name} line ends, split at any byte`, () => {
      assert.deepEqual(parse(bytes), EXPECTED);
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(parse(bytes.subarray(0, at), bytes.subarray(at)), EXPECTED, `split at ${at}`);
      assert.deepEqual(parse(...[...bytes].map((byte) => Uint8Array.of(byte))), EXPECTED);
    });

    it(`are complete with the empty line after them, with ${name}`, () => {
      const last = bytes.length - 2 * end.length;
      // A carriage return may be the whole line end: the event is complete before the line feed.
      const complete = last + 2 * end.length - (name === 'CRLF' ? 1 : 0);
      for (let at = last; at < complete; at++)
        assert.deepEqual(parse(bytes.subarray(0, at)), EXPECTED.slice(0, 1));
      assert.deepEqual(parse(bytes.subarray(0, complete)), EXPECTED);
    });
  }

  it('may begin with a byte order mark', () => {
    assert.deepEqual(parse(`\uFEFF${PLAIN.slice(PLAIN.indexOf('id: a'))}`), EXPECTED);
  });

  it('join the lines of their data, and lose one space after the colon', () => {
    assert.deepEqual(parse('data:one\ndata:  two\ndata\nid:x\n\n'), [{ id: 'x', data: 'one\n two\n' }]);
  });

  it('keep the id of the event before, unless it has a NUL', () => {
    assert.deepEqual(parse('id: a\ndata: 1\n\ndata: 2\n\nid: b\0c\ndata: 3\n\nid\ndata: 4\n\n'), [
      { id: 'a', data: '1' },
      { id: 'a', data: '2' },
      { id: 'a', data: '3' },
      { id: '', data: '4' },
    ]);
  });

  it('without data, unknown fields and comments mean nothing', () => {
    assert.deepEqual(parse('event: x\nid: a\n\n: data: no\nfoo: bar\nDATA: no\n\ndata: yes\n\n'), [
      { id: 'a', data: 'yes' },
    ]);
  });
});

// In a file without a service, because these tests replace the timers of the process.
describe('A silent stream', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  /** Refuses the first connections. It accepts the others, sends one comment, and is silent from then on. */
  const silentAfter = (failures: number, onConnect: () => void): typeof fetch => {
    let connections = 0;
    return async (_url, init) => {
      onConnect();
      if (connections++ < failures) throw new TypeError('refused');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(':\n\n'));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
  };

  it('is reported as not alive after 45 seconds, before the next attempt', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const log: unknown[] = [];
    const fetch = silentAfter(0, () => log.push('connect'));
    const controller = new AbortController();
    const onLiveness = (isAlive: boolean) => void log.push(isAlive);
    const store = clientOf('http://unused.test/v1', { fetch });
    const reading = failureOf(store.events({}, { signal: controller.signal, onLiveness }).next());
    await settled();
    assert.deepEqual(log, ['connect', true, true]);
    t.mock.timers.tick(44_999);
    await settled();
    assert.deepEqual(log, ['connect', true, true]);
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual(log.slice(3), [false]);
    t.mock.timers.tick(8_000);
    await settled();
    assert.deepEqual(log.slice(4), ['connect', true, true]);
    controller.abort();
    assert.equal((await reading).code, 'aborted');
    assert.equal(log.length, 7);
  });

  it('that lasted for a while makes earlier failures count no longer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const pass = async (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
      await settled();
    };
    let connections = 0;
    const fetch = silentAfter(1, () => connections++);
    const controller = new AbortController();
    const options = { signal: controller.signal, maxRetries: 1 };
    const reading = failureOf(clientOf('http://unused.test/v1', { fetch }).events({}, options).next());
    await settled();
    await pass(8_000);
    assert.equal(connections, 2);
    await pass(45_000);
    await pass(8_000);
    assert.equal(connections, 3);
    controller.abort();
    assert.equal((await reading).code, 'aborted');
  });
});

it('A call is repeated until its time is used up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 0.99);
  const start = performance.now();
  let now = start;
  t.mock.method(performance, 'now', () => now);
  const attempts: number[] = [];
  const fetch = async () => {
    attempts.push(now - start);
    return Response.json({ code: 'unavailable', message: 'Busy.' }, { status: 503 });
  };
  const store = clientOf('http://unused.test/v1', { fetch, timeoutMs: 3_000 });
  let isOver = false;
  const failure = failureOf(store.createPet({ name: 'Never', categoryId: 1 })).finally(() => {
    isOver = true;
  });
  for (; !isOver; now += 10) {
    t.mock.timers.tick(10);
    await new Promise(setImmediate);
  }
  const { status, code } = await failure;
  assert.deepEqual([status, code], [503, 'unavailable']);
  assert.ok(Number(attempts.at(-1)) > 2_800, 'the last attempt comes close to the end');
  assert.ok(attempts.length < 30, `${attempts.length} attempts`);
});
