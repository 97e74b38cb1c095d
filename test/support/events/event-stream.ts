import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.ts';
import { sum } from '../measure/metrics.ts';
import type { Owner } from '../service/owner.ts';
import { call } from '../service/service.ts';
import { AUTH, HOST, request } from '../wire/conversation.ts';
import { parseAnswer, type RawAnswer } from '../wire/socket.ts';

export const openStreams = async ({ origin }: { readonly origin: string }): Promise<number> =>
  sum((await call(origin, 'GET', '/metrics')).text, 'animal_store_event_streams');

export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A stream of events as one connection receives it. */
export interface RawStream {
  readonly socket: Socket;
  readonly answer: RawAnswer;
  /** Everything after the head so far. */
  text(): string;
  /** The complete events so far. */
  frames(): Frame[];
  /** Waits until there are `count` of them. */
  received(count: number): Promise<Frame[]>;
  readonly isClosed: boolean;
}

interface StreamOptions {
  readonly query?: string;
  /** Lines of the head, each with its line end, in place of Host and Authorization. */
  readonly head?: string;
  readonly headers?: string;
  /** The request as it is sent, in place of all of the above. */
  readonly bytes?: string;
}

/** A request for a stream, as bytes. */
export const followRequest = ({ query = '', head = HOST + AUTH, headers = '' }: StreamOptions = {}): string =>
  request(`GET /v1/events${query}`, `${head}Accept: text/event-stream\r\n${headers}`);

/** Follows the events over a plain socket, until the test ends. */
export async function openStream(t: Owner, port: number, options: StreamOptions = {}): Promise<RawStream> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => {}).on('close', () => (isClosed = true));
  await once(socket, 'connect');
  socket.write(options.bytes ?? followRequest(options));
  await eventually(() => received.includes('\r\n\r\n'), 'the head has arrived');
  const answer = parseAnswer(received);
  const text = () => received.slice(received.indexOf('\r\n\r\n') + 4);
  const frames = () => framesOf(text());
  return {
    socket,
    answer,
    text,
    frames,
    async received(count) {
      await eventually(() => frames().length >= count, `${count} events have arrived`);
      return frames();
    },
    get isClosed() {
      return isClosed;
    },
  };
}

/** The events of a text in the format that the service sends. */
function framesOf(text: string): Frame[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (id === undefined || event === undefined || data === undefined) {
      assert.match(block, /^(?:retry: \d+|:)$/, 'a frame without an id');
      return [];
    }
    return { id, event, data };
  });
}
