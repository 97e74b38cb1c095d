import type { Operation } from '../contract/operation.ts';
import type { Store } from '../store/store.ts';
import type { Answer, Call, Handler } from './operation.ts';

/** As much as is kept of one list, in characters. */
const MOST = 4 * 1024 * 1024;

/**
 * Keeps the answers to first pages, the ones that everybody asks for, as finished text for as long as nobody commits
 * anything. Other pages are as good as never asked for twice.
 */
export function keepFinished<O extends Operation>(store: Store, handle: Handler<O>): Handler<O> {
  const { version } = store;
  if (!version) return handle;
  const kept = new Map<string, Answer>();
  let keptAt: number | undefined;
  let size = 0;
  const coming = new Map<string, Promise<Answer>>();
  let comingIn: Promise<number> | undefined;

  return async (call) => {
    if (call.target.includes('cursor=')) return handle(call);
    const isCurrent = (await version()) === keptAt;
    return (isCurrent && kept.get(call.target)) || fresh(call);
  };

  /** One answer for all who ask before its read begins: until then the version asked for is the same promise. */
  function fresh(call: Call<O>): Promise<Answer> {
    const readAt = version?.() as Promise<number>;
    if (comingIn !== readAt) coming.clear();
    comingIn = readAt;
    const answer = coming.get(call.target) ?? finish(call, readAt);
    coming.set(call.target, answer);
    return answer;
  }

  async function finish(call: Call<O>, asked: Promise<number>): Promise<Answer> {
    const [readAt, answer] = await Promise.all([asked, handle(call)]);
    // The read is over: nobody joins any more.
    if (comingIn === asked) coming.clear();
    const more = call.target.length + answer.text.length;
    if (readAt !== keptAt || size + more > MOST) {
      kept.clear();
      size = 0;
    }
    keptAt = readAt;
    size += more;
    kept.set(call.target, answer);
    return answer;
  }
}
