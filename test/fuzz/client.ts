import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { parseAnswer, type RawAnswer } from '../support/socket.ts';
import type { Session } from './sessions.ts';

/** Far longer than the service needs for any session on a busy machine. */
const TIMEOUT_MS = 30_000;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Sends a session on a new connection and resolves with the complete responses, without interim ones. */
export async function send(port: number, { packets, requests, ends }: Session): Promise<RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
  try {
    const answers: RawAnswer[] = [];
    const done = readAnswers(socket, answers, requests);
    // A client that is still writing when the service closes the connection is told so by an error.
    done.catch(() => {});
    await once(socket, 'connect');
    for (const packet of packets) {
      if (!socket.writable) break;
      socket.write(packet);
      await nextTick();
    }
    if (ends && socket.writable) socket.end();
    await done;
    return answers;
  } finally {
    socket.destroy();
  }
}

/** Resolves when every request is answered or the service has closed the connection. */
async function readAnswers(
  socket: Socket,
  answers: RawAnswer[],
  requests: Session['requests'],
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = endOfAnswer(rest, requests?.[answers.length]?.method); end > 0; ) {
        const text = rest.toString('utf8', 0, end);
        if (text !== CONTINUE) answers.push(parseAnswer(text));
        rest = rest.subarray(end);
        end = endOfAnswer(rest, requests?.[answers.length]?.method);
      }
      if (requests && answers.length === requests.length) break;
    }
  } catch (error) {
    // The service closes a connection without reading the rest of a broken request; the kernel then resets it.
    if (!/ECONNRESET|EPIPE/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    rest = Buffer.alloc(0);
  }
  assert.equal(rest.toString(), '', 'bytes that are no complete response');
}

/** Where the first response ends; 0 while it is not complete. */
function endOfAnswer(bytes: Buffer, method: string | undefined): number {
  const body = bytes.indexOf('\r\n\r\n') + 4;
  if (body < 4) return 0;
  const { status, headers } = parseAnswer(bytes.toString('utf8', 0, body));
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return body;
  assert.match(headers['content-length'] ?? '', /^\d+$/, 'a response without its length');
  const end = body + Number(headers['content-length']);
  return bytes.length >= end ? end : 0;
}
