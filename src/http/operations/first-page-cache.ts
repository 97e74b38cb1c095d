import { limits } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, sizeOf } from '../answer.ts';
import type { Call } from '../request/request.ts';
import type { Handler } from './handler.ts';

/** The memory of a cached answer besides its text, in characters. It counts, because clients can search for any number of unused names. */
const OVERHEAD = 300;

/**
 * Caches the answers to first pages, which most clients ask for, for as long as no process commits anything. Other pages
 * are hardly ever asked for twice.
 */
export function cacheFirstPages<O extends Operation>(store: Store, handle: Handler<O>): Handler<O> {
  const { version } = store;
  if (!version) return handle;
  const cached = new Map<string, Answer>();
  let cachedVersion: number | undefined;
  let size = 0;
  const pending = new Map<string, Promise<Answer>>();
  let pendingVersion: Promise<number> | undefined;

  return async (call) => {
    const { query } = call.request;
    if (query.includes('cursor=')) return handle(call);
    const isCurrent = (await version()) === cachedVersion;
    return (isCurrent && cached.get(query)) || read(call);
  };

  /** Requests that arrive before a read begins share it: until then, `version` returns the same promise. */
  function read(call: Call<O>): Promise<Answer> {
    const { query } = call.request;
    const readVersion = version?.() as Promise<number>;
    if (pendingVersion !== readVersion) pending.clear();
    pendingVersion = readVersion;
    const answer = pending.get(query) ?? readAndCache(call, readVersion);
    pending.set(query, answer);
    return answer;
  }

  async function readAndCache(call: Call<O>, asked: Promise<number>): Promise<Answer> {
    const { query } = call.request;
    const [readVersion, answer] = await Promise.all([asked, handle(call)]);
    // The read has finished: a request that arrives now needs its own.
    if (pendingVersion === asked) pending.clear();
    const more = OVERHEAD + query.length + sizeOf(answer.body);
    if (readVersion !== cachedVersion || size + more > limits.cachedCharacters) {
      cached.clear();
      size = 0;
    }
    cachedVersion = readVersion;
    size += more;
    cached.set(query, answer);
    return answer;
  }
}
