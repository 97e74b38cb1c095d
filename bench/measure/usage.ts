import { readdirSync, readFileSync } from 'node:fs';

/** Of /proc: always 100 on Linux, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

export interface Usage {
  /** User and system time of all threads so far, in seconds. */
  readonly cpu: number;
  /** Memory in use, in bytes, and the most there ever was. */
  readonly rss: number;
  readonly peak: number;
}

/** What a process and all that descend from it have used. Linux only. */
export function usageOf(pid: number): Usage {
  const total = { cpu: 0, rss: 0, peak: 0 };
  for (const { fields, member } of family(pid)) {
    const status = read(`${member}/status`);
    total.cpu += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    total.rss += kilobytes(status, 'VmRSS') * 1024;
    total.peak += kilobytes(status, 'VmHWM') * 1024;
  }
  return total;
}

interface Member {
  readonly member: number;
  /** Of /proc/PID/stat, what stands behind the name: state, parent, … */
  readonly fields: readonly string[];
}

function family(root: number): Member[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      member: Number(name),
      fields: read(`${name}/stat`).split(') ').at(-1)?.split(' ') ?? [],
    }));
  const members = all.filter(({ member }) => member === root);
  for (const { member } of members) {
    members.push(...all.filter(({ fields }) => Number(fields[1]) === member));
  }
  return members;
}

/** A process may end while it is looked at. */
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
