import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventParser, type ServerSentEvent } from '../../src/client/event-parser.ts';

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
