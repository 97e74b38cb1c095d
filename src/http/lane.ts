import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { BASE_PATH, type Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import type { KeyRing } from '../keys/ring.ts';
import { deprecationHeaders } from './deprecation.ts';
import { errorAnswer } from './errors.ts';
import { JSON_TYPE } from './json.ts';
import { type Answer, accept, type Call, type Handler, type Handlers } from './operation.ts';
import { type PlainHead, type PlainTarget, plainHead, plainTarget } from './plain.ts';
import { parseQuery } from './query.ts';
import { requestId } from './request-id.ts';
import { type LogOutput, logRequest } from './request-log.ts';

export interface LaneOptions {
  readonly handlers: Handlers;
  readonly keys: KeyRing;
  readonly log: FastifyBaseLogger;
  readonly output: LogOutput;
  readonly removeDeprecated: boolean;
  readonly isDraining: () => boolean;
}

interface Route {
  readonly operation: Operation;
  readonly handle: Handler;
  /** The name of the path parameter in the last place, if that is one. */
  readonly param: string | undefined;
  /** What every answer of the operation carries. */
  readonly headers: readonly string[];
  /** A call without a query, accepted once for all. */
  readonly bare: Call<Operation>;
}

/**
 * A lane past the framework for what a shop does all day: plain reads with a valid key. It takes a request only when
 * there is nothing about it to refuse at the door, and answers it with the same functions that the framework's routes
 * use; every other request it leaves alone. What it pays is in docs/decisions/0005-speed.md.
 */
export function createLane({ handlers, keys, log, output, removeDeprecated, isDraining }: LaneOptions) {
  const routes = new Map<string, Route>();
  for (const operation of Object.values<Operation>(operations)) {
    if (operation.method !== 'GET' || (removeDeprecated && operation.deprecated)) continue;
    const [place, route] = placed(operation, handlers[operation.id as keyof Handlers] as Handler);
    routes.set(place, route);
  }

  /** Whether the request is taken. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const head = plainHead(request);
    const target = head && plainTarget(request.url as string);
    const route = target && (routes.get(target.path) ?? routes.get(target.folder));
    if (!route) return false;
    const { keyId, refused } = keys.verify(head.key);
    if (refused !== undefined) return false;
    void answer(route, target, head, keyId, response);
    return true;
  };

  async function answer(
    route: Route,
    target: PlainTarget,
    head: PlainHead,
    keyId: string,
    response: ServerResponse,
  ): Promise<void> {
    const started = performance.now();
    const { operation } = route;
    const id = requestId(head.requestId);
    let status: number = operation.answer.status;
    let given: Answer;
    try {
      given = await route.handle(callOf(route, target, response.req.url as string));
    } catch (error) {
      ({ status, ...given } = errorAnswer(error as Error, log, id));
    }
    const bytes = Buffer.byteLength(given.text);
    const headers = [...route.headers, 'content-length', `${bytes}`, 'x-request-id', id];
    for (const name in given.headers) headers.push(name, given.headers[name] as string);
    if (isDraining()) headers.push('connection', 'close');
    response.writeHead(status, headers).end(given.text, bytes === given.text.length ? 'latin1' : 'utf8');
    const ms = performance.now() - started;
    logRequest(output, { requestId: id, operation: operation.id, method: 'GET', status, ms, keyId });
  }
}

function callOf({ operation, param, bare }: Route, { name, query }: PlainTarget, target: string) {
  const params = param === undefined ? bare.params : { [param]: name };
  return query === '' ? { ...bare, target, params } : accepted(operation, target, params, query);
}

function accepted(
  operation: Operation,
  target: string,
  params: Call<Operation>['params'],
  query: string,
): Call<Operation> {
  const rest = { strict: false, keyId: '', idempotencyKeys: [] };
  return accept(operation, { target, params, query: parseQuery(query), ...rest });
}

/** An operation by where a plain target finds it: its path, or the folder of it when the last part is a parameter. */
function placed(operation: Operation, handle: Handler): [string, Route] {
  const [, place = '', param] = /^(.*?)(?:\{(\w+)\})?$/.exec(BASE_PATH + operation.path) ?? [];
  const headers = Object.entries({ 'content-type': JSON_TYPE, ...deprecationHeaders(operation) }).flat();
  return [place, { operation, handle, param, headers, bare: accepted(operation, '', {}, '') }];
}
