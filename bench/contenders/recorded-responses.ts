import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { CATEGORY_NAME } from '../datasets/rows.ts';
import { type Call, KEY, type Kind, methodOf, ourTarget } from '../workloads/calls.ts';

export interface RecordedResponse {
  readonly status: number;
  /** Names and values alternate. Without the headers that node:http adds itself. */
  readonly headers: string[];
  readonly body: string;
}

/** One real response of this service for each kind of call, and its `Keep-Alive` header. */
export type RecordedResponses = Readonly<Record<Kind, RecordedResponse>> & { readonly keepAlive: string };

const ADDED_BY_NODE = ['date', 'connection', 'keep-alive'];

/** Records the responses of the service on this port. Reads ask for animals from the middle of the list. */
export async function recordResponses(port: number, animals: number): Promise<RecordedResponses> {
  const middle = Math.floor(animals / 2);
  const body = JSON.stringify({
    name: 'Rex 0123456 of the benchmark, a patient animal',
    categoryId: 250,
    status: 'available',
  });
  const first = await send(port, { kind: 'first' });
  return {
    keepAlive: String(first.headers['keep-alive']),
    first: await record(first),
    page: await record(await send(port, { kind: 'page', before: middle })),
    filtered: await record(await send(port, { kind: 'filtered', status: 'pending' })),
    category: await record(await send(port, { kind: 'category', categoryId: 250 })),
    categories: await record(await send(port, { kind: 'categories', name: CATEGORY_NAME })),
    inventory: await record(await send(port, { kind: 'inventory', categoryId: 250 })),
    one: await record(await send(port, { kind: 'one', id: middle })),
    create: await record(await send(port, { kind: 'create', body })),
    update: await record(await send(port, { kind: 'update', id: middle, body })),
  };
}

async function send(port: number, call: Call): Promise<IncomingMessage> {
  const { method, body } = methodOf(call);
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: ourTarget(call),
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      connection: 'keep-alive',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    agent: false,
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

async function record(response: IncomingMessage): Promise<RecordedResponse> {
  const { statusCode = 0, rawHeaders } = response;
  const headers: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!ADDED_BY_NODE.includes(name.toLowerCase())) headers.push(name, value);
  }
  return { status: statusCode, headers, body: await text(response) };
}
