import { effect, signal } from '@preact/signals';
import { apiBase } from '../../shared/service.ts';
import { expireCategories } from './categories.ts';
import { may } from './permissions.ts';
import { type Session, session } from './session.ts';

/** The service sends something every 15 seconds: a stream that is silent for longer does not get through. */
const SILENCE_MS = 40_000;
const NAME = `animal-store changes of ${apiBase.pathname}`;

/** What the tab that follows the stream tells the others. */
type Message = 'alive' | 'changed' | 'categories' | 'quiet';

/** Whether this page is told of every change. Until it is, it asks every few seconds. */
export const isLive = signal(false);

let silence: ReturnType<typeof setTimeout> | undefined;

/**
 * Follows the changes of the store, for keys that may. One tab of the browser has the stream and tells the others; when it is closed, another
 * one takes over. A page without TLS cannot agree with others on who that is, and goes on asking.
 */
export function startLive(changed: () => void): void {
  const channel = new BroadcastChannel(NAME);
  const receive = (message: Message) => {
    clearTimeout(silence);
    const begins = message !== 'quiet' && !isLive.peek();
    isLive.value = message !== 'quiet';
    if (isLive.peek()) silence = setTimeout(() => (isLive.value = false), SILENCE_MS);
    if (message === 'categories') expireCategories();
    // What has happened before the stream began is asked for.
    if (message !== 'alive' || begins) changed();
  };
  const tell = (message: Message) => {
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (session.peek() && may('events:read')) receive(data);
  };
  effect(() => {
    const current = session.value;
    if (!current || !may('events:read') || !navigator.locks) return undefined;
    const end = new AbortController();
    navigator.locks
      .request(NAME, { signal: end.signal }, () => follow(current, end.signal, tell))
      .catch(() => {});
    return () => {
      end.abort();
      clearTimeout(silence);
      isLive.value = false;
    };
  });
}

/** Follows the stream until the person signs out or the service refuses it. */
async function follow(
  current: Session,
  signal: AbortSignal,
  tell: (message: Message) => void,
): Promise<void> {
  const heard = (isAlive: boolean) => {
    if (!signal.aborted) tell(isAlive ? 'alive' : 'quiet');
  };
  try {
    for await (const { type } of current.changes(heard).events({}, { signal }))
      tell(type.startsWith('category.') ? 'categories' : 'changed');
  } catch {
    // Refused, or ended by signing out: the page goes on asking.
  }
}
