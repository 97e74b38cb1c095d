import type { Operation } from '../contract/operation.ts';
import type { Store } from '../store/store.ts';
import type { Answer, Handler } from './operation.ts';

const MOST = 1000;

/**
 * Keeps the answers to first pages, the ones that everybody asks for, as finished text for as long as no commit of
 * anyone has changed the store. The others are as good as never asked for twice.
 */
export function keepFinished<O extends Operation>(store: Store, handle: Handler<O>): Handler<O> {
  const { version } = store;
  if (!version) return handle;
  const kept = new Map<string, Answer>();
  let keptAt: number | undefined;

  return async (call) => {
    if (call.target.includes('cursor=')) return handle(call);
    if ((await version()) === keptAt) {
      const finished = kept.get(call.target);
      if (finished) return finished;
    }
    // Asked for in one turn, so that the version is that of the very state which the answer shows.
    const [readAt, answer] = await Promise.all([version(), handle(call)]);
    if (readAt !== keptAt || kept.size >= MOST) kept.clear();
    keptAt = readAt;
    kept.set(call.target, answer);
    return answer;
  };
}
