import type { ClientAddress } from './client-address.ts';
import type { HttpRequest, ReceivedRequest } from './request.ts';
import { requestId } from './request-id.ts';
import type { Routes } from './route.ts';
import { decodePath, requestTarget } from './target.ts';

/** Names the request and finds what it is addressed to. Refuses nothing: the key has the first word. */
export function identify(
  received: ReceivedRequest,
  routes: Routes,
  clientAddress: ClientAddress,
): HttpRequest {
  const { method, headers } = received;
  const id = requestId(headers.all('x-request-id'));
  const address = clientAddress(received);
  const target = requestTarget(received.target);
  const mark = target.indexOf('?');
  const path = decodePath(mark < 0 ? target : target.slice(0, mark));
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const route = routes.find(path);
  const endpoint = route.endpoints?.get(method);
  const answerHeaders = endpoint ? ['x-request-id', id, ...endpoint.headers] : ['x-request-id', id];
  return {
    received,
    method,
    headers,
    id,
    address,
    path,
    query,
    route,
    endpoint,
    answerHeaders,
    keyId: undefined,
    refusal: undefined,
  };
}
