import type { Owner } from './service/owner.ts';

/** What is rejected without a handler until the test ends. It does not fail the test. */
export function unhandledRejections(t: Owner): unknown[] {
  const listeners = process.listeners('unhandledRejection');
  const found: unknown[] = [];
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => found.push(error));
  t.after(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  });
  return found;
}
