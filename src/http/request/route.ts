import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import { ACCEPT_PATCH } from './body.ts';
import type { Endpoint, Route } from './request.ts';

type NewEndpoint = Omit<Endpoint, 'headers'> & Partial<Pick<Endpoint, 'headers'>>;

interface KnownRoute extends Route {
  readonly endpoints: Map<string, Endpoint>;
}

/** A path with a parameter, the part before it and the part after it. */
const TEMPLATE = /^([^{]*)\{\w+\}([^{]*)$/;

/** The table of everything that is served. A path has at most one parameter: its last segment, or the one before that. */
export class Routes {
  readonly #exact = new Map<string, KnownRoute>();
  /** By the part before the parameter, such as `/v1/pets/`, and the part after it. */
  readonly #withParameter = new Map<string, Map<string, KnownRoute>>();

  /** A path that a template matches also serves the methods of that template. It must be added after the template. */
  add(method: string, path: string, endpoint: NewEndpoint): void {
    const route = this.#routeOf(path);
    const complete = { headers: [], ...endpoint };
    route.endpoints.set(method, complete);
    if (method === 'GET') route.endpoints.set('HEAD', complete);
  }

  /** Finds a route for every path: one that does not exist has an endpoint that says so. */
  find(path: string): Route {
    return this.#known(path) ?? (inApi(path) ? NO_OPERATION : NO_ROUTE);
  }

  #known(path: string): Route | undefined {
    const last = path.lastIndexOf('/');
    return (
      this.#exact.get(path) ??
      this.#withParameterAt(path, last, path.length) ??
      this.#withParameterAt(path, path.lastIndexOf('/', last - 1), last)
    );
  }

  /** The route whose parameter is the text between `slash` and `end`. */
  #withParameterAt(path: string, slash: number, end: number): Route | undefined {
    if (slash + 1 >= end) return undefined;
    return this.#withParameter.get(path.slice(0, slash + 1))?.get(path.slice(end));
  }

  #routeOf(path: string): KnownRoute {
    const [, prefix, suffix = ''] = TEMPLATE.exec(path) ?? [];
    if (prefix !== undefined)
      return getOrSet(
        getOrSet(this.#withParameter, prefix, new Map()),
        suffix,
        routeTo(path, prefix.length, suffix),
      );
    const { endpoints = [], parameterAt = Number.POSITIVE_INFINITY } = this.#known(path) ?? {};
    return getOrSet(this.#exact, path, routeTo(path, parameterAt, suffix, endpoints));
  }
}

function getOrSet<K, V>(map: Map<K, V>, key: K, fallback: V): V {
  const value = map.get(key) ?? fallback;
  map.set(key, value);
  return value;
}

const inApi = (path: string): boolean => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);

/** The access that a path needs for a method that it does not support. */
const accessTo = (path: string): Endpoint['access'] => (inApi(path) ? 'any' : 'public');

function routeTo(
  template: string,
  parameterAt: number,
  suffix: string,
  inherited: Iterable<[string, Endpoint]> = [],
): KnownRoute {
  const endpoints = new Map(inherited);
  const other: Endpoint = {
    inputs: {},
    access: accessTo(template),
    headers: [],
    handle({ request: { method, answerHeaders } }) {
      const allow = allowedMethods(endpoints);
      answerHeaders.push('allow', allow);
      if (method !== 'OPTIONS')
        throw new ApiError('method_not_allowed', `This path does not support ${method}, only ${allow}.`);
      if (endpoints.has('PATCH')) answerHeaders.push('accept-patch', ACCEPT_PATCH);
      return { status: 204, headers: [], body: '' };
    },
  };
  return { template, parameterAt, suffix, endpoints, other };
}

/** The methods of a path, as the `Allow` header lists them. */
export const allowedMethods = (endpoints: ReadonlyMap<string, Endpoint>): string =>
  [...endpoints.keys(), 'OPTIONS'].join(', ');

const NO_PATH = `There is no such path. The operations are below ${BASE_PATH}, for example ${BASE_PATH}/pets.`;
const WITHOUT_SLASH = `${NO_PATH} Paths do not end in a slash.`;

const noRoute = (access: Endpoint['access']): Route => ({
  endpoints: undefined,
  template: undefined,
  parameterAt: Number.POSITIVE_INFINITY,
  suffix: '',
  other: {
    inputs: {},
    access,
    headers: [],
    handle({ request: { path } }) {
      throw new ApiError('not_found', path.endsWith('/') ? WITHOUT_SLASH : NO_PATH);
    },
  },
});
const NO_ROUTE = noRoute('public');
const NO_OPERATION = noRoute('any');
