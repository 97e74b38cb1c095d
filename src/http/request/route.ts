import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import type { Answer } from '../response/answer.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import type { HttpRequest } from './request.ts';
import { segmentsOf } from './target.ts';
import { acceptNothing, type Call, type Inputs } from './validate.ts';

/** What serves a method of a path. */
export interface Endpoint {
  readonly inputs: Inputs;
  /** Its row in the contract; undefined for what only looks after the service, such as `/healthz`. */
  readonly operation: Operation | undefined;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
  /** What every answer of it carries, also a refusal. */
  readonly headers: readonly string[];
  /** The validated call of a request without query and body: the most frequent one, prepared once. */
  readonly plainCall: Pick<Call, 'query'> | undefined;
}

/** What a path leads to. */
export interface Route {
  /** By method; undefined when there is no such path. */
  readonly endpoints: ReadonlyMap<string, Endpoint> | undefined;
  /** Whether the path belongs to the versioned API, where every request needs a key. */
  readonly inApi: boolean;
  readonly params: Readonly<Record<string, string>>;
  /** Whether the path would exist without the slash at its end. */
  readonly trailingSlash: boolean;
}

interface Node {
  readonly children: Map<string, Node>;
  param?: { readonly name: string; readonly node: Node };
  endpoints?: Map<string, Endpoint>;
}

const API_SEGMENT = BASE_PATH.slice(1);
const NO_PARAMS = {};

/** The table of everything that is served, by path and method. */
export class Routes {
  readonly #root: Node = { children: new Map() };

  add(method: string, path: string, endpoint: Pick<Endpoint, 'inputs' | 'operation' | 'handle'>): void {
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) node = childOf(node, segment);
    node.endpoints ??= new Map();
    const { inputs, operation } = endpoint;
    const headers = operation ? deprecationHeaders(operation) : [];
    const complete = { ...endpoint, headers, plainCall: acceptNothing(inputs) };
    node.endpoints.set(method, complete);
    if (method === 'GET') node.endpoints.set('HEAD', complete);
  }

  find(path: string): Route {
    const segments = segmentsOf(path);
    const inApi = segments[1] === API_SEGMENT && segments[0] === '';
    let node: Node | undefined = segments[0] === '' ? this.#root : undefined;
    let params: Record<string, string> = NO_PARAMS;
    for (let i = 1; i < segments.length && node; i++) {
      const segment = segments[i] as string;
      const last = i === segments.length - 1;
      if (last && segment === '' && node.endpoints)
        return { endpoints: undefined, inApi, params, trailingSlash: true };
      const child: Node | undefined = node.children.get(segment);
      if (!child && node.param && segment !== '') params = { ...params, [node.param.name]: segment };
      node = child ?? (segment === '' ? undefined : node.param?.node);
    }
    return { endpoints: node?.endpoints, inApi, params, trailingSlash: false };
  }
}

function childOf(node: Node, segment: string): Node {
  const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
  const known = name === undefined ? node.children.get(segment) : node.param?.node;
  if (known) return known;
  const child: Node = { children: new Map() };
  if (name === undefined) node.children.set(segment, child);
  else node.param = { name, node: child };
  return child;
}

/** The endpoint that the request is for. Refuses other paths (404), other methods (405) and, if so configured, deprecated operations (410). */
export function route(
  { method, route, endpoint, answerHeaders }: HttpRequest,
  removeDeprecated: boolean,
): Endpoint {
  const { endpoints, trailingSlash } = route;
  if (!endpoints) throw new ApiError('not_found', trailingSlash ? WITHOUT_SLASH : NO_PATH);
  if (endpoint) {
    if (removeDeprecated && endpoint.operation?.deprecated) throw removed(endpoint.operation);
    return endpoint;
  }
  const allow = [...endpoints.keys(), 'OPTIONS'].join(', ');
  answerHeaders.push('allow', allow);
  if (method === 'OPTIONS') return OPTIONS;
  throw new ApiError('method_not_allowed', `This path does not support ${method}, only ${allow}.`);
}

const NO_PATH = `There is no such path. The operations are below ${BASE_PATH}, for example ${BASE_PATH}/pets.`;
const WITHOUT_SLASH = 'There is no such path. Remove the slash at its end.';

const OPTIONS: Endpoint = {
  inputs: {},
  operation: undefined,
  handle: () => ({ status: 204, headers: [], body: '' }),
  headers: [],
  plainCall: { query: undefined },
};

function removed({ id, deprecated }: Operation): ApiError {
  return new ApiError(
    'operation_removed',
    `${id} is no longer available. Use GET ${deprecated?.successor} instead.`,
  );
}
