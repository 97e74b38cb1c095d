import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import type { Endpoint, HttpRequest, Route } from './request.ts';
import { acceptNothing } from './validate.ts';

interface KnownRoute extends Route {
  readonly endpoints: Map<string, Endpoint>;
  readonly template: string;
}

const NO_ROUTE: Route = { endpoints: undefined, template: undefined, parameterAt: Number.POSITIVE_INFINITY };
/** A path whose last segment is a parameter, and the part before it. */
const TEMPLATE = /^(.*\/)\{\w+\}$/;

/** The table of everything that is served. A path parameter is always the last segment. */
export class Routes {
  readonly #exact = new Map<string, KnownRoute>();
  /** By the part before the parameter, such as `/v1/pets/`. */
  readonly #withParameter = new Map<string, KnownRoute>();

  add(method: string, path: string, endpoint: Omit<Endpoint, 'headers' | 'plainCall'>): void {
    const [, prefix] = TEMPLATE.exec(path) ?? [];
    const [routes, start] = prefix === undefined ? [this.#exact, path] : [this.#withParameter, prefix];
    const route = routes.get(start) ?? { endpoints: new Map(), template: path, parameterAt: start.length };
    routes.set(start, route);
    const headers = endpoint.operation ? deprecationHeaders(endpoint.operation) : [];
    const complete = { ...endpoint, headers, plainCall: acceptNothing(endpoint.inputs) };
    route.endpoints.set(method, complete);
    if (method === 'GET') route.endpoints.set('HEAD', complete);
  }

  find(path: string): Route {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    for (const [prefix, route] of this.#withParameter) {
      const { length } = prefix;
      if (path.length > length && path.startsWith(prefix) && !path.includes('/', length)) return route;
    }
    return NO_ROUTE;
  }
}

/** The endpoint that the request is for. Refuses other paths, other methods and, while its removal is rehearsed, a deprecated operation. */
export function route(request: HttpRequest, removeDeprecated: boolean): Endpoint {
  const { method, path, endpoint, answerHeaders } = request;
  const { endpoints } = request.route;
  if (!endpoints) throw new ApiError('not_found', path.endsWith('/') ? WITHOUT_SLASH : NO_PATH);
  if (endpoint) {
    if (removeDeprecated && endpoint.operation?.deprecated) throw removed(endpoint.operation);
    return endpoint;
  }
  const allow = allowedMethods(endpoints);
  answerHeaders.push('allow', allow);
  if (method === 'OPTIONS') return OPTIONS;
  throw new ApiError('method_not_allowed', `This path does not support ${method}, only ${allow}.`);
}

/** The methods of a path, as the `Allow` header lists them. */
export const allowedMethods = (endpoints: ReadonlyMap<string, Endpoint>): string =>
  [...endpoints.keys(), 'OPTIONS'].join(', ');

const NO_PATH = `There is no such path. The operations are below ${BASE_PATH}, for example ${BASE_PATH}/pets.`;
const WITHOUT_SLASH = `${NO_PATH} Paths do not end in a slash.`;

const OPTIONS: Endpoint = {
  inputs: {},
  headers: [],
  handle: () => ({ status: 204, headers: [], body: '' }),
};

function removed({ id, deprecated }: Operation): ApiError {
  const instead = `Use GET ${deprecated?.successor} instead.`;
  return new ApiError('operation_removed', `${id} is no longer available. ${instead}`);
}
