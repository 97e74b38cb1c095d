import { ApiError } from '../../contract/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Routes } from '../request/route.ts';
import { jsonAnswer } from '../response/answer.ts';

const PROBE_MS = 1000;

/** `/healthz`: the process is up. `/readyz`: it can take a write. Neither needs a key. */
export function addHealth(routes: Routes, store: Store, isDraining: () => boolean): void {
  const probe = atMostEvery(PROBE_MS, () => store.ready());
  const alive = jsonAnswer(200, '{"status":"ok"}');
  const ready = jsonAnswer(200, '{"status":"ready"}');

  routes.add('GET', '/healthz', { inputs: {}, operation: undefined, handle: () => alive });
  routes.add('GET', '/readyz', {
    inputs: {},
    operation: undefined,
    async handle() {
      if (isDraining()) throw new ApiError('unavailable', 'The service is shutting down.');
      await probe();
      return ready;
    },
  });
}

/** Shares one call among all requests within `ms`: a probe writes, and anyone may ask for it. */
function atMostEvery(ms: number, call: () => Promise<void>): () => Promise<void> {
  let latest: Promise<void> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    if (latest && performance.now() - at < ms) return latest;
    at = performance.now();
    latest = call();
    return latest;
  };
}
