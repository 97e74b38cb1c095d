import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { parseAnswer, type RawAnswer } from '../support/wire/socket.ts';
import type { Session } from './sessions.ts';

/** Far longer than the service needs for any session on a busy machine. */
const TIMEOUT_MS = 30_000;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

interface Received {
  /** Complete ones, without interim ones. */
  readonly answers: RawAnswer[];
  /** Whether the connection was reset, by which responses that had arrived can be lost. */
  readonly reset: boolean;
}

/** Sends a session on a new connection, each request when the one before it is answered, and resolves when all are. */
export async function send(port: number, { parts, requests, ends }: Session): Promise<Received> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  // Once the service has ended the connection, nothing reads from it that would get the error of a write.
  socket.on('error', () => {});
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
  try {
    const answers: RawAnswer[] = [];
    let answered = Promise.withResolvers<void>();
    const onAnswer = () => answered.resolve();
    const done = readAnswers(socket, answers, requests, onAnswer);
    // A client that is still writing when the service closes the connection is told so by an error.
    done.catch(() => {});
    await once(socket, 'connect');
    for (const packets of parts) {
      answered = Promise.withResolvers();
      for (const packet of packets) {
        if (!socket.writable) break;
        socket.write(packet);
        await nextTick();
      }
      if (ends && packets === parts.at(-1) && socket.writable) socket.end();
      if (requests) await Promise.race([answered.promise, done]);
    }
    return { answers, reset: await done };
  } finally {
    socket.destroy();
  }
}

/** Resolves when every request is answered or the service has closed the connection, with whether it was reset. */
async function readAnswers(
  socket: Socket,
  answers: RawAnswer[],
  requests: Session['requests'],
  onAnswer: () => void,
): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = endOfAnswer(rest, requests?.[answers.length]?.method); end > 0; ) {
        const text = rest.toString('utf8', 0, end);
        if (text !== CONTINUE && answers.push(parseAnswer(text))) onAnswer();
        rest = rest.subarray(end);
        end = endOfAnswer(rest, requests?.[answers.length]?.method);
      }
      if (requests && answers.length === requests.length) break;
    }
  } catch (error) {
    // The service closes a connection without reading the rest of a broken request; the kernel then resets it.
    if (!/ECONNRESET|EPIPE/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return true;
  }
  assert.equal(rest.toString(), '', 'bytes that are no complete response');
  return false;
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
