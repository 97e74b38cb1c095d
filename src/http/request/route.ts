import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import { ACCEPT_PATCH } from './body.ts';
import type { Endpoint, HttpRequest, Route } from './request.ts';
import { acceptNothing } from './validate.ts';

/** What serves a method of a path, before it is added. */
type NewEndpoint = Omit<Endpoint, 'headers' | 'plainCall'> & Partial<Pick<Endpoint, 'headers'>>;

interface KnownRoute extends Route {
  readonly endpoints: Map<string, Endpoint>;
  readonly template: string;
}

const NO_ROUTE: Route = {
  endpoints: undefined,
  template: undefined,
  parameterAt: Number.POSITIVE_INFINITY,
  suffix: '',
};
/** A path with a parameter, the part before it and the part after it. */
const TEMPLATE = /^([^{]*)\{\w+\}([^{]*)$/;

/** The table of everything that is served. A path has at most one parameter, which is a whole segment. */
export class Routes {
  readonly #exact = new Map<string, KnownRoute>();
  /** By the part before the parameter, such as `/v1/pets/`, and the part after it. */
  readonly #withParameter = new Map<string, Map<string, KnownRoute>>();

  /** A path that a template also matches serves the methods of that template, too, and is to be added after it. */
  add(method: string, path: string, endpoint: NewEndpoint): void {
    const route = this.#routeOf(path);
    const complete = { headers: [], ...endpoint, plainCall: acceptNothing(endpoint.inputs) };
    route.endpoints.set(method, complete);
    if (method === 'GET') route.endpoints.set('HEAD', complete);
  }

  find(path: string): Route {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    for (const [prefix, bySuffix] of this.#withParameter) {
      const { length } = prefix;
      if (path.length === length || !path.startsWith(prefix)) continue;
      const end = path.indexOf('/', length);
      const route = bySuffix.get(end < 0 ? '' : path.slice(end));
      if (route && end !== length) return route;
    }
    return NO_ROUTE;
  }

  #routeOf(path: string): KnownRoute {
    const [, prefix, suffix = ''] = TEMPLATE.exec(path) ?? [];
    if (prefix === undefined) {
      const { endpoints = [], parameterAt } = this.find(path);
      const route = { endpoints: new Map(endpoints), template: path, parameterAt, suffix };
      return getOrSet(this.#exact, path, route);
    }
    const bySuffix = getOrSet(this.#withParameter, prefix, new Map());
    return getOrSet(bySuffix, suffix, {
      endpoints: new Map(),
      template: path,
      parameterAt: prefix.length,
      suffix,
    });
  }
}

function getOrSet<K, V>(map: Map<K, V>, key: K, fallback: V): V {
  const value = map.get(key) ?? fallback;
  map.set(key, value);
  return value;
}

/** The endpoint that the request is for. Refuses other paths, other methods and, with `REMOVE_DEPRECATED`, a deprecated operation. */
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
  if (method === 'OPTIONS') {
    if (endpoints.has('PATCH')) answerHeaders.push('accept-patch', ACCEPT_PATCH);
    return OPTIONS;
  }
  throw new ApiError('method_not_allowed', `This path does not support ${method}, only ${allow}.`);
}

/** The methods of a path, as the `Allow` header lists them. */
export const allowedMethods = (endpoints: ReadonlyMap<string, Endpoint>): string =>
  [...endpoints.keys(), 'OPTIONS'].join(', ');

const NO_PATH = `There is no such path. The operations are below ${BASE_PATH}, for example ${BASE_PATH}/pets.`;
const WITHOUT_SLASH = `${NO_PATH} Paths do not end in a slash.`;

const OPTIONS: Endpoint = {
  inputs: {},
  access: 'public',
  headers: [],
  handle: () => ({ status: 204, headers: [], body: '' }),
};

function removed({ id, deprecated }: Operation): ApiError {
  const instead = `Use GET ${deprecated?.successor} instead.`;
  return new ApiError('operation_removed', `${id} is no longer available. ${instead}`);
}
