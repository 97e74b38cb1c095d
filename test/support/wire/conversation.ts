import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from '../service/service.ts';
import { parseAnswer, type RawAnswer } from './socket.ts';

export const HOST = 'Host: animal.store\r\n';
export const AUTH = `Authorization: Bearer ${KEY}\r\n`;

/** A request as bytes; `head` contains the header lines, each with its line end. */
export const request = (line: string, head = HOST + AUTH, body = ''): string =>
  `${line} HTTP/1.1\r\n${head}\r\n${body}`;

export interface Conversation {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next response. Rejects when the connection is closed or reset before it is complete. */
  next(): Promise<RawAnswer>;
  /** All further responses until the server closes the connection. Rejects when it is reset. */
  rest(): Promise<RawAnswer[]>;
}

/** A connection on which responses are read one by one, so that an extra one is noticed. */
export function converse(port: number): Conversation {
  const socket = connect(port, '127.0.0.1');
  const answers = answersOf(socket);
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    async next() {
      const { value } = await answers.next();
      assert.ok(value, 'the connection was closed without a response');
      return value;
    },
    rest: () => Array.fromAsync(answers),
  };
}

/**
 * Sends each request on its own connection, all in one callback, and reads one response to each. A service in this
 * process then finds all of them readable in the same tick of the event loop.
 */
export async function inOneTick(port: number, requests: readonly string[]): Promise<RawAnswer[]> {
  const conversations = requests.map(() => converse(port));
  await Promise.all(conversations.map(({ socket }) => once(socket, 'connect')));
  // Wait until the service has accepted all of them.
  await sleep(20);
  for (const [n, { send }] of conversations.entries()) send(requests[n] as string);
  const answers = await Promise.all(conversations.map(({ next }) => next()));
  for (const { socket } of conversations) socket.destroy();
  return answers;
}

/** Every response of the server, in order, until it closes the connection. */
export async function* answersOf(socket: Socket): AsyncGenerator<RawAnswer, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = endOfAnswer(rest); end !== undefined; end = endOfAnswer(rest)) {
      yield parseAnswer(rest.toString('utf8', 0, end));
      rest = rest.subarray(end);
    }
  }
  assert.equal(rest.toString(), '', 'the connection was closed within a response');
}

/** Where the first response ends; undefined while it is not complete. */
export function endOfAnswer(bytes: Buffer): number | undefined {
  const body = bytes.indexOf('\r\n\r\n') + 4;
  if (body < 4) return undefined;
  const { status, headers } = parseAnswer(bytes.toString('utf8', 0, body));
  const length = status < 200 || status === 204 ? '0' : headers['content-length'];
  assert.match(length ?? '', /^\d+$/, 'a response without its length');
  const end = body + Number(length);
  return bytes.length >= end ? end : undefined;
}
