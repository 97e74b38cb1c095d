import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { BASE_PATH, type Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import type { KeyRing } from '../keys/ring.ts';
import { parseBody } from './body.ts';
import { deprecationHeaders } from './deprecation.ts';
import { errorAnswer } from './errors.ts';
import { JSON_TYPE } from './json.ts';
import { type Answer, accept, type Call, type Handler, type Handlers } from './operation.ts';
import { Outbox } from './outbox.ts';
import { type PlainHead, type PlainTarget, plainBody, plainHead, plainTarget } from './plain.ts';
import { parseQuery } from './query.ts';
import { requestId } from './request-id.ts';
import type { LogOutput } from './request-log.ts';

export interface LaneOptions {
  readonly handlers: Handlers;
  readonly keys: KeyRing;
  readonly log: FastifyBaseLogger;
  readonly output: LogOutput;
  readonly removeDeprecated: boolean;
  /** Whether its connection ends with this answer. */
  readonly isLast: (response: ServerResponse) => boolean;
}

interface Route {
  readonly operation: Operation;
  readonly handle: Handler;
  /** The name of the path parameter in the last place, if that is one. */
  readonly param: string | undefined;
  /** What every answer of the operation carries. */
  readonly headers: readonly string[];
  /** Of an operation without a body: a call without a query, accepted once for all. */
  readonly bare: Call<Operation> | undefined;
}

/** A request that the lane has taken. */
interface Taken {
  readonly route: Route;
  readonly url: string;
  readonly head: PlainHead;
  readonly target: PlainTarget;
  readonly body: Buffer | undefined;
  readonly keyId: string;
}

/**
 * A lane past the framework for what a shop does all day: plain requests with a valid key. It takes a request only when
 * it is all there and nothing about it is to be refused at the door, and answers it with the same functions that the
 * framework's routes use; every other request it leaves alone. What it pays is in docs/decisions/0006-speed.md.
 */
export function createLane({ handlers, keys, log, output, removeDeprecated, isLast }: LaneOptions) {
  const routes = routesOf(handlers, removeDeprecated);
  const outbox = new Outbox(output);

  /** Whether the request is taken. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const taken = take(request);
    if (taken) void answer(taken, response);
    return taken !== undefined;
  };

  function take(request: IncomingMessage): Taken | undefined {
    const { method = '', url = '' } = request;
    const head = request.complete ? plainHead(request) : undefined;
    const target = head && plainTarget(url);
    const places = target && routes.get(method);
    const route = places && (places.get(target.path) ?? places.get(target.folder));
    if (!route) return undefined;
    const { keyId, refused } = keys.verify(head.key);
    if (refused !== undefined) return undefined;
    const body = route.operation.body && plainBody(request);
    if (route.operation.body && !body) return undefined;
    return { route, url, head, target, body, keyId };
  }

  async function answer(taken: Taken, response: ServerResponse): Promise<void> {
    const since = performance.now();
    const { route, head, keyId } = taken;
    const { id: operation, method, answer } = route.operation;
    const id = requestId(head.requestId);
    let status: number = answer.status;
    let given: Answer;
    try {
      given = await route.handle(callOf(taken));
    } catch (error) {
      ({ status, ...given } = errorAnswer(error as Error, log, id));
    }
    const { text } = given;
    const bytes = Buffer.byteLength(text);
    const headers = [...route.headers, 'content-length', `${bytes}`, 'x-request-id', id];
    for (const name in given.headers) headers.push(name, given.headers[name] as string);
    if (isLast(response)) headers.push('connection', 'close');
    // Plain ASCII is the same bytes in both, and written sooner as the one.
    const encoding = bytes === text.length ? 'latin1' : 'utf8';
    const line = { requestId: id, operation, method, status, keyId };
    outbox.send({ response, headers, text, encoding, line, since });
  }
}

function callOf({ route, url, head, target, body, keyId }: Taken): Call<Operation> {
  const { operation, param, bare } = route;
  const params: Record<string, string> = param === undefined ? {} : { [param]: target.name };
  if (bare && target.query === '') return { ...bare, target: url, params };
  return accept(operation, {
    target: url,
    params,
    query: parseQuery(target.query),
    body: body && parseBody(body),
    strict: false,
    keyId,
    idempotencyKeys: head.idempotencyKeys,
  });
}

type Places = ReadonlyMap<string, Route>;

/** By method, then by where a plain target finds it: its path, or the folder of it when the last part is a parameter. */
function routesOf(handlers: Handlers, removeDeprecated: boolean): ReadonlyMap<string, Places> {
  const served = Object.values<Operation>(operations).filter((one) => !(removeDeprecated && one.deprecated));
  const byMethod = Map.groupBy(served, ({ method }) => method);
  return new Map(
    [...byMethod].map(([method, ones]) => [
      method,
      new Map(ones.map((one) => placed(one, handlers[one.id as keyof Handlers] as Handler))),
    ]),
  );
}

function placed(operation: Operation, handle: Handler): [string, Route] {
  const [, place = '', param] = /^(.*?)(?:\{(\w+)\})?$/.exec(BASE_PATH + operation.path) ?? [];
  const headers = Object.entries({ 'content-type': JSON_TYPE, ...deprecationHeaders(operation) }).flat();
  const nothing = { target: '', params: {}, query: {}, strict: false, keyId: '', idempotencyKeys: [] };
  const bare = operation.body ? undefined : accept(operation, nothing);
  return [place, { operation, handle, param, headers, bare }];
}
