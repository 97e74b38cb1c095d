import { readdirSync } from 'node:fs';
import { Counters, counter, type Family, gauge, Histogram, histogram, label } from './family.ts';

/** The buckets of the OpenTelemetry conventions for HTTP metrics, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The methods that are a label of their own. Clients can invent others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const OTHER_METHOD = '_OTHER';

/** Histograms by method, then by status. */
type RouteDurations = Map<string, Map<number, Histogram>>;

/** Metrics of requests. Every label value comes from a bounded set, whatever clients send. */
class RequestMetrics {
  readonly #durations = new Map<string | undefined, RouteDurations>();
  readonly #rejections = new Counters('reason');
  readonly #keyRefusals = new Counters('reason');
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

  /** Counts an error response. The reason is its code, or a word that tells causes with the same code apart. */
  rejected(reason: string): void {
    this.#rejections.increment(reason);
  }

  keyRefused(reason: string): void {
    this.#keyRefusals.increment(reason);
  }

  deprecatedCall(operation: string, keyId: string): void {
    const byKey = getOrAdd(this.#deprecatedCalls, operation, () => new Counters('key_id'));
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
    return getOrAdd(byStatus, status, () => new Histogram(REQUEST_SECONDS));
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

const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

/** Metrics of writes, which the store reports. */
export class WriteMetrics {
  readonly #durations = new Histogram(COMMIT_SECONDS);
  readonly #sizes = new Histogram(BATCH_SIZES);
  #pending = (): number => 0;
  #maintenanceFailures = 0;

  /** `pending` returns how many writes wait or are being committed. */
  watch(pending: () => number): void {
    this.#pending = pending;
  }

  committed(writes: number, ms: number): void {
    this.#durations.observe(ms / 1000);
    this.#sizes.observe(writes);
  }

  maintenanceFailed(): void {
    this.#maintenanceFailures++;
  }

  families(): Family[] {
    return [
      histogram(
        'animal_store_commit_duration_seconds',
        'Time to commit a batch of writes, until it is on disk.',
        this.#durations.samples(),
      ),
      histogram('animal_store_commit_batch_size', 'Writes that shared a commit.', this.#sizes.samples()),
      gauge('animal_store_pending_writes', 'Writes that wait or are being committed.', this.#pending()),
      counter(
        'animal_store_maintenance_failures_total',
        'Runs of the regular maintenance of the database that failed.',
        this.#maintenanceFailures,
      ),
    ];
  }
}

const SAMPLE_MS = 50;

/** Measures the event loop with one timer, which runs every 50 ms, or once per iteration when an iteration takes longer. */
export class EventLoop {
  readonly #readers: ((ms: number) => void)[] = [];

  constructor() {
    let previous = performance.now();
    setInterval(() => {
      const now = performance.now();
      const ms = now - previous;
      previous = now;
      // After a long pause a timer can fire twice in a row; that says nothing about the load.
      if (ms >= SAMPLE_MS / 2) for (const read of this.#readers) read(ms);
    }, SAMPLE_MS).unref();
  }

  /** `read` gets the time since the previous sample. */
  onSample(read: (ms: number) => void): void {
    this.#readers.push(read);
  }
}

const DELAY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The figures of this process, under the names that other exporters use. */
class ProcessMetrics {
  readonly #delays = new Histogram(DELAY_SECONDS);

  constructor(eventLoop: EventLoop) {
    eventLoop.onSample((ms) => this.#delays.observe(Math.max(0, ms - SAMPLE_MS) / 1000));
  }

  families(): Family[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const { active } = performance.eventLoopUtilization();
    const start = performance.timeOrigin / 1000;
    const files = openFiles();
    return [
      counter('process_cpu_seconds_total', 'CPU time used.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Memory in use.', rss),
      gauge('process_start_time_seconds', 'When the service was started.', start),
      ...(files === undefined ? [] : [gauge('process_open_fds', 'Open file descriptors.', files)]),
      gauge('nodejs_heap_size_used_bytes', 'Memory in use on the JavaScript heap.', heapUsed),
      counter('nodejs_eventloop_active_seconds_total', 'Time the event loop was busy.', active / 1000),
      histogram(
        'nodejs_eventloop_delay_seconds',
        `How late timers were: a sample every ${SAMPLE_MS} ms.`,
        this.#delays.samples(),
      ),
    ];
  }
}

/** How many files and sockets this process has open; undefined where the system does not tell. */
export function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

type Source = () => readonly Family[] | Promise<readonly Family[]>;

/** All metrics of one process. */
export class Metrics {
  readonly requests = new RequestMetrics();
  readonly writes = new WriteMetrics();
  readonly eventLoop = new EventLoop();
  readonly #process = new ProcessMetrics(this.eventLoop);
  readonly #sources: Source[] = [];

  /** Adds metrics that are computed only when they are requested. */
  add(source: Source): void {
    this.#sources.push(source);
  }

  async snapshot(): Promise<Family[]> {
    const added = await Promise.all(this.#sources.map((source) => source()));
    const own = [this.requests.families(), this.writes.families(), this.#process.families()];
    return [...own, ...added].flat();
  }
}
