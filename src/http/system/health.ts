import { shuttingDown } from '../../contract/transport-errors.ts';
import type { Store } from '../../store/store.ts';
import { jsonAnswer } from '../answer.ts';
import type { Routes } from '../request/route.ts';

const PROBE_MS = 1000;

/** `/healthz`: the process is up. `/readyz`: it can take a write. Neither needs a key. */
export function addHealth(routes: Routes, store: Store, isDraining: () => boolean): void {
  let probe = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() };
  const alive = jsonAnswer(200, '{"status":"ok"}');
  const ready = jsonAnswer(200, '{"status":"ready"}');

  routes.add('GET', '/healthz', { inputs: {}, access: 'public', isHealthCheck: true, handle: () => alive });
  routes.add('GET', '/readyz', {
    inputs: {},
    access: 'public',
    isHealthCheck: true,
    async handle() {
      if (isDraining()) throw shuttingDown();
      // One probe for all requests within a second: it writes, and anyone may ask for it.
      const now = performance.now();
      if (now - probe.at >= PROBE_MS) probe = { at: now, outcome: store.ready() };
      await probe.outcome;
      return ready;
    },
  });
}
