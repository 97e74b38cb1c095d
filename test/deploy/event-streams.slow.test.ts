import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientOf } from '../client/support/client.ts';
import { collectEvents } from '../client/support/events.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { sum } from '../support/measure/metrics.ts';
import { startService } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXIES, startProxy } from './support/proxies.ts';

describe('A stream of events through a proxy with our configuration', { timeout: 120_000 }, () => {
  for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    it(`is not buffered, and ends when the client leaves: ${name}`, async (t) => {
      if (!hasTools(t, name)) return;
      const { port, origin, call } = await startService(t);
      const direct = clientOf(`${origin}/v1`);
      const { names, controller } = collectEvents(t, clientOf(await startProxy(t, name, port)));
      const openStreams = async () => sum((await call('GET', '/metrics')).text, 'animal_store_event_streams');
      await eventuallyEqual(openStreams, 1);
      const created: string[] = [];
      for (const pet of ['Rex', 'Max', 'Tom']) {
        await direct.createPet({ name: pet, categoryId: 1 });
        created.push(pet);
        // Each arrives before the next one happens: a buffer would hold them back.
        await eventuallyEqual(names, created);
      }
      assert.equal(await openStreams(), 1, 'it is still the same stream');
      controller.abort();
      await eventuallyEqual(openStreams, 0);
    });
  }
});
