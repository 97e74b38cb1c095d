/** The kernel counts CPU time in steps of several milliseconds. */
const LEAST_MS = 200;

/**
 * The CPU time that parsing a text takes, in milliseconds, on average over many runs. Not the time of the clock: where other programs use the
 * cores, a long run is interrupted more often than a short one, so that a ratio of the two says nothing.
 */
export function cpuMs(parse: (text: string) => unknown, text: string): number {
  const start = usedMs();
  for (let runs = 1; ; runs++) {
    try {
      parse(text);
    } catch {
      // Rejecting a text takes time, too.
    }
    const used = usedMs() - start;
    if (used >= LEAST_MS) return used / runs;
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
