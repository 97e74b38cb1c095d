import { isMainThread } from 'node:worker_threads';

// Ctrl-Z on a terminal sends SIGTSTP, which stops a process wherever it is. One that is stopped inside a commit holds the lock that
// every write needs, for as long as it sleeps. With a listener, it stops itself after the commit.

let commits = 0;
let isDue = false;

/** From here on, no transaction that the main thread runs without a pause is interrupted: a listener is called after it. */
export function stopBetweenCommits(): void {
  if (isMainThread && !process.listeners('SIGTSTP').includes(stop)) process.on('SIGTSTP', stop);
}

/** For a commit of another thread. */
export async function stopAfter<T>(commit: Promise<T>): Promise<T> {
  commits++;
  try {
    return await commit;
  } finally {
    commits--;
    if (isDue) stop();
  }
}

/** Does what the signal does without a listener. Continues after SIGCONT. */
function stop(): void {
  isDue = commits > 0;
  if (isDue) return;
  process.off('SIGTSTP', stop);
  process.kill(process.pid, 'SIGTSTP');
  process.on('SIGTSTP', stop);
}
