import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import type { Endpoint, HttpRequest, Route } from './request.ts';
import { acceptNothing } from './validate.ts';

interface Place {
  readonly endpoints: Map<string, Endpoint>;
  readonly template: string;
  /** The name of the path parameter in the last segment, if there is one. */
  readonly param: string | undefined;
}

const NO_PARAMS = {};
const NO_ROUTE: Route = { endpoints: undefined, template: undefined, params: NO_PARAMS };
const TEMPLATE = /^(.*\/)\{(\w+)\}$/;

/** The table of everything that is served. A path parameter is always the last segment. */
export class Routes {
  /** By path or, for a path with a parameter, by the part before it: `/v1/pets` and `/v1/pets/`. */
  readonly #places = new Map<string, Place>();

  add(method: string, path: string, endpoint: Omit<Endpoint, 'headers' | 'plainCall'>): void {
    const [, folder, param] = TEMPLATE.exec(path) ?? [];
    const place = this.#places.get(folder ?? path) ?? { endpoints: new Map(), template: path, param };
    const headers = endpoint.operation ? deprecationHeaders(endpoint.operation) : [];
    const complete = { ...endpoint, headers, plainCall: acceptNothing(endpoint.inputs) };
    place.endpoints.set(method, complete);
    if (method === 'GET') place.endpoints.set('HEAD', complete);
    this.#places.set(folder ?? path, place);
  }

  find(path: string): Route {
    const exact = this.#places.get(path);
    if (exact && exact.param === undefined)
      return { endpoints: exact.endpoints, template: exact.template, params: NO_PARAMS };
    const start = path.lastIndexOf('/') + 1;
    const segment = path.slice(start);
    const place = segment === '' ? undefined : this.#places.get(path.slice(0, start));
    if (place?.param === undefined) return NO_ROUTE;
    return { endpoints: place.endpoints, template: place.template, params: { [place.param]: segment } };
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
