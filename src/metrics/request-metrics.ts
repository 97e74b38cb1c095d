import { counter, type Family, gauge, histogram, label } from './family.ts';
import { Counters, Histogram } from './instruments.ts';

/** The buckets of the OpenTelemetry conventions for HTTP metrics, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The methods that are a label of their own. Clients can invent others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const OTHER_METHOD = '_OTHER';
/** More than any deployment needs to find its last callers of a deprecated operation. */
const MAX_KEYS = 1000;
const MAX_REASONS = 100;

/** Histograms by method, then by status. */
type RouteDurations = Map<string, Map<number, Histogram>>;

/** What happens to requests. Every label value comes from a set of ours, whatever clients send. */
export class RequestMetrics {
  readonly #durations = new Map<string | undefined, RouteDurations>();
  readonly #rejections = new Counters('reason', MAX_REASONS);
  readonly #keyRefusals = new Counters('reason', MAX_REASONS);
  readonly #deprecatedCalls = new Map<string, Counters>();
  #active = 0;

  /** The reasons that `rejected` and `keyRefused` will be called with: their counters begin at 0. */
  expect(rejections: readonly string[], keyRefusals: readonly string[]): void {
    this.#rejections.expect(rejections);
    this.#keyRefusals.expect(keyRefusals);
  }

  started(): void {
    this.#active++;
  }

  /** `route` is the template of the path, such as `/v1/pets/{petId}`; undefined if the path matched none. */
  finished(method: string, route: string | undefined, status: number, seconds: number): void {
    this.#active--;
    const known = this.#durations.get(route)?.get(method)?.get(status);
    (known ?? this.#durationsOf(method, route, status)).observe(seconds);
  }

  /** An error response. The reason is its code, or what else tells one cause from another. */
  rejected(reason: string): void {
    this.#rejections.increment(reason);
  }

  keyRefused(reason: string): void {
    this.#keyRefusals.increment(reason);
  }

  deprecatedCall(operation: string, keyId: string): void {
    const byKey = getOrAdd(this.#deprecatedCalls, operation, () => new Counters('key_id', MAX_KEYS));
    byKey.increment(keyId);
  }

  families(): Family[] {
    const durations = [...this.#durations].flatMap(([route, byMethod]) =>
      [...byMethod].flatMap(([method, byStatus]) =>
        [...byStatus].flatMap(([status, seconds]) => seconds.samples(labelsOf(method, route, status))),
      ),
    );
    const deprecated = [...this.#deprecatedCalls].flatMap(([operation, byKey]) =>
      byKey.samples(label('operation', operation)),
    );
    return [
      histogram(
        'http_server_request_duration_seconds',
        'Time from the end of the request headers to the response.',
        durations,
      ),
      gauge('http_server_active_requests', 'Requests that are being answered.', this.#active),
      counter(
        'animal_store_rejected_requests_total',
        'Error responses by reason: the code of the error, or overloaded.',
        this.#rejections.samples(),
      ),
      counter(
        'animal_store_key_refusals_total',
        'API keys that were refused, by reason.',
        this.#keyRefusals.samples(),
      ),
      counter(
        'animal_store_deprecated_calls_total',
        'Calls of deprecated operations by the id of the API key.',
        deprecated,
      ),
    ];
  }

  #durationsOf(sent: string, route: string | undefined, status: number): Histogram {
    const method = METHODS.has(sent) ? sent : OTHER_METHOD;
    const byMethod = getOrAdd(this.#durations, route, (): RouteDurations => new Map());
    const byStatus = getOrAdd(byMethod, method, () => new Map<number, Histogram>());
    return getOrAdd(byStatus, status, () => new Histogram(BUCKETS));
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function labelsOf(method: string, route: string | undefined, status: number): string {
  const labels = [label('http_request_method', method), label('http_response_status_code', status)];
  if (route !== undefined) labels.push(label('http_route', route));
  return labels.join(',');
}
