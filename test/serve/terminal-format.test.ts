import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../../src/log.ts';
import { formatForTerminal } from '../../src/serve/terminal-format.ts';

type Log = ReturnType<typeof createLog>;

/** The printed text, without the time. */
function shown(write: (log: Log) => void): string {
  let text = '';
  write(createLog({ write: (line) => (text += formatForTerminal(line)) }));
  assert.match(text, /^\d\d:\d\d:\d\d /);
  return text.slice('00:00:00 '.length);
}

describe('the log on a terminal', () => {
  const request = `{"level":30,"time":"${new Date().toISOString()}","requestId":"r-1","operation":"getPet","method":"GET","status":404,"ms":1.234,"keyId":"env-1","msg":"request"}\n`;
  const forged = '/a\n12:00:00 ERROR forged\u001b[2J\u009b2J\u202e';
  const lines: Record<string, [write: (log: Log) => void, line: string]> = {
    'the level, the message and the other fields': [
      (log) => log.warn({ connections: 17, limit: 'soft', ms: 0 }, 'few connections'),
      'WARN  few connections connections=17 limit=soft ms=0',
    ],
    'a request, abbreviated': [
      (log) => log.write(request),
      'INFO  404 GET getPet 1.2 ms requestId=r-1 keyId=env-1',
    ],
    'what was refused before it became a request': [
      (log) => log.info({ requestId: 'r-1', status: 400, code: 'bad_request' }, 'request'),
      'INFO  400 - requestId=r-1 code=bad_request',
    ],
    'line breaks and control characters in text from a client, escaped': [
      (log) => log.info({ path: forged }, 'hello\r'),
      'INFO  "hello\\r" path="/a\\n12:00:00 ERROR forged\\u001b[2J\\u009b2J\\u202e"',
    ],
  };
  for (const [what, [write, line]] of Object.entries(lines))
    it(`shows on one line ${what}`, () => assert.equal(shown(write), `${line}\n`));

  it('shows the stack of an error and of its causes below the line', () => {
    const error = new Error('could not save', { cause: new TypeError('disk on fire') });
    const [line, ...stack] = shown((log) => log.error({ err: error }, 'failed'))
      .trimEnd()
      .split('\n');
    assert.equal(line, 'ERROR failed');
    assert.equal(stack[0], '    Error: could not save');
    assert.ok(stack.includes('    TypeError: disk on fire'));
    assert.ok(stack.every((frame) => frame.startsWith('    ')));
  });
});
