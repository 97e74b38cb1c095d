import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc: always 100 per second on Linux. */
const TICKS_PER_SECOND = 100;

export interface Usage {
  /** User and system time of all threads so far, in seconds. */
  readonly cpu: number;
  /** Resident memory in bytes, now and at its peak. */
  readonly rss: number;
  readonly peak: number;
}

/** What a process and all its descendants have used. Linux only. */
export function usageOf(pid: number): Usage {
  const total = { cpu: 0, rss: 0, peak: 0 };
  for (const { id, fields } of processTree(pid)) {
    const status = read(`${id}/status`);
    total.cpu += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    total.rss += kilobytes(status, 'VmRSS') * 1024;
    total.peak += kilobytes(status, 'VmHWM') * 1024;
  }
  return total;
}

interface ProcessEntry {
  readonly id: number;
  /** The fields of /proc/PID/stat that follow the name: state, parent, … */
  readonly fields: readonly string[];
}

function processTree(root: number): ProcessEntry[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      id: Number(name),
      fields: read(`${name}/stat`).split(') ').at(-1)?.split(' ') ?? [],
    }));
  const tree = all.filter(({ id }) => id === root);
  for (const { id } of tree) {
    tree.push(...all.filter(({ fields }) => Number(fields[1]) === id));
  }
  return tree;
}

/** Empty when the process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
